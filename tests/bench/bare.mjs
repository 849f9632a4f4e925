// The page's HTML without scripts: the baseline for all measurements.

/** @param {string} html from web/dist */
export const bareHtml = (html) => html.replace(/<script[^>]*>[\s\S]*?<\/script>|<link rel="(?:module)?preload"[^>]*>/g, '');
