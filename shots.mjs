import { launchChromium } from './tests/page/launch.mjs';
import { createServer } from 'node:http';
import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
const dist = process.env.DIST ?? '/work/main/web/dist';
const types = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css', '.wasm': 'application/wasm', '.json': 'application/json', '.svg': 'image/svg+xml', '.png': 'image/png' };
const server = createServer(async (q, r) => { try { const p = new URL(q.url, 'http://x').pathname; const f = join(dist, p.endsWith('/') ? p + 'index.html' : p); const b = await readFile(f); r.setHeader('content-type', types[extname(f)] ?? 'text/plain'); r.end(b); } catch { r.statusCode = 404; r.end(); } }).listen(0);
const base = `http://127.0.0.1:${server.address().port}/`;
const browser = await launchChromium();
for (const spec of process.argv.slice(2)) {
  const [name, hash, w = '1440', h = '900', mode = 'light', full = ''] = spec.split('|');
  const page = await browser.newPage({ viewport: { width: +w, height: +h }, colorScheme: mode === 'dark' ? 'dark' : 'light', forcedColors: mode === 'forced' ? 'active' : 'none' });
  page.on('pageerror', (e) => console.log(name, 'ERROR', e.message));
  await page.goto(base + hash);
  await page.waitForTimeout(4000);
  const over = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  if (over > 0) console.log(name, 'overflows by', over);
  await page.screenshot({ path: `/work/scratch/lead/shots/${name}.png`, fullPage: full === 'full' });
  await page.close();
}
await browser.close(); server.close();
