// Strips the scripts from the page's HTML, which is the baseline for all measurements.

/** @param {string} html of the built page */
export const bareHtml = (html) => html.replace(/<script[^>]*>[\s\S]*?<\/script>|<link rel="(?:module)?preload"[^>]*>/g, '');
