// The page's HTML without what runs: what everything that it does is measured beside.

/** @param {string} html as web/dist has it */
export const bareHtml = (html) => html.replace(/<script[^>]*>[\s\S]*?<\/script>|<link rel="(?:module)?preload"[^>]*>/g, '');
