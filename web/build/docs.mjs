// Renders the documents of web/docs as pages of the site, which load only a style sheet and their pictures.

import { readdir, readFile } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Marked } from 'marked';
import { gfmHeadingId } from 'marked-gfm-heading-id';
import { bundle, common, output } from './bundles.mjs';

const root = fileURLToPath(new URL('../../', import.meta.url));
const folder = join(root, 'web/docs');
const source = process.env.PARAM_LEDGER_SOURCE ?? '';

/** The document that the navigation lists first. */
const FIRST = 'page.md';

const title = (/** @type {string} */ text) => /^# (.*)$/m.exec(text)?.[1] ?? '';

const escaped = (/** @type {string} */ text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

/**
 * Maps a link in a document to its address on the site: another document, an example, or a source file if the address of the sources is
 * known. Returns an empty text if there is no such address. Web addresses and links within the document stay unchanged.
 * @param {string} href
 */
function address(href) {
  if (/^(https?:|#)/.test(href)) return href;
  const [path, hash = ''] = href.split(/(?=#)/);
  const target = relative(root, resolve(folder, path));
  if (dirname(target) === 'web/docs') return basename(target).replace(/\.md$/, '.html') + hash;
  if (/^web\/examples\/.*\.(html|md|yml)$/.test(target)) return relative('web/docs', target);
  return source && `${source.replace(/\/$/, '')}/${target}`;
}

/** @returns {Promise<{ name: string, contents: string | Uint8Array }[]>} */
export async function docs() {
  const names = (await readdir(folder))
    .filter((name) => name.endsWith('.md'))
    .sort((a, b) => Number(b === FIRST) - Number(a === FIRST) || a.localeCompare(b));
  const texts = new Map(
    await Promise.all(names.map(async (name) => /** @type {const} */ ([name, await readFile(join(folder, name), 'utf8')]))),
  );
  /** @type {Set<string>} */
  const pictures = new Set();
  const marked = new Marked({
    renderer: {
      link({ href, tokens }) {
        const to = address(href);
        const text = this.parser.parseInline(tokens);
        return to ? `<a href="${escaped(to)}">${text}</a>` : text;
      },
      image({ href, text }) {
        const path = resolve(folder, href);
        pictures.add(path);
        return `<img src="pictures/${basename(path)}" alt="${escaped(text)}">`;
      },
      table(token) {
        const row = (/** @type {import('marked').Tokens.TableCell[]} */ cells) =>
          `<tr>${cells.map((cell) => this.tablecell(cell)).join('')}</tr>`;
        return `<div class="scrolls" tabindex="0"><table><thead>${row(token.header)}</thead><tbody>${token.rows.map(row).join('')}</tbody></table></div>\n`;
      },
    },
  });
  marked.use(gfmHeadingId());
  const style = output(await bundle({ ...common, entryPoints: ['styles/docs.css'] }), '.css');
  const pages = names.map((name) => {
    const text = texts.get(name) ?? '';
    const links = names.map((other) => {
      const current = other === name ? ' aria-current="page"' : '';
      return `<li><a href="${other.replace(/\.md$/, '.html')}"${current}>${title(texts.get(other) ?? '')}</a></li>`;
    });
    const contents = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'">
<title>${title(text)} – Param Ledger</title>
<link rel="stylesheet" href="docs.css">
</head>
<body>
<nav aria-label="Documents"><a href="../index.html">Param Ledger</a><ul>${links.join('')}</ul></nav>
<main>
${marked.parse(text)}</main>
</body>
</html>
`;
    return { name: `docs/${name.replace(/\.md$/, '.html')}`, contents };
  });
  return [
    ...pages,
    { name: 'docs/docs.css', contents: style.contents },
    ...(await Promise.all(
      [...pictures].map(async (path) => ({ name: `docs/pictures/${basename(path)}`, contents: new Uint8Array(await readFile(path)) })),
    )),
  ];
}
