// Strips all scripts and preload links from the page's HTML. The benchmarks compare the page with the result.

/** @param {string} html of the built page */
export const bareHtml = (html) => html.replace(/<script[^>]*>[\s\S]*?<\/script>|<link rel="(?:module)?preload"[^>]*>/g, '');
