// A local server that answers like the Hub: it lists files, redirects to a content host (another port), sends ranges of files, and refuses
// requests as the Hub does.

import { createServer } from 'node:http';
import { once } from 'node:events';

/** @typedef {{ files: Record<string, Buffer | { size: number, head: Buffer }>, status?: number, code?: string, ranges?: boolean, listed?: Record<string, number> }} Model */

/** @param {Record<string, Model>} models by their ids; a revision as `owner/name@revision` */
export async function hubServer(models) {
  /** @type {{ host: 'hub' | 'content', method: string, path: string, range: string | undefined, authorization: string | undefined, cookie: string | undefined }[]} */
  const asked = [];
  const cors = {
    'access-control-allow-origin': '*',
    'access-control-allow-headers': 'range',
    'access-control-expose-headers': 'X-Repo-Commit,X-Error-Code,Content-Range,Link',
  };
  /** @param {'hub' | 'content'} host @param {import('node:http').RequestListener} answer */
  const started = async (host, answer) => {
    const server = createServer((request, response) => {
      const { range, authorization, cookie } = request.headers;
      asked.push({ host, method: request.method ?? '', path: request.url ?? '', range, authorization, cookie });
      if (request.method === 'OPTIONS') return void response.writeHead(204, cors).end();
      answer(request, response);
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    return server;
  };
  const at = (/** @type {import('node:http').Server} */ server) =>
    `http://127.0.0.1:${/** @type {import('node:net').AddressInfo} */ (server.address()).port}`;

  const content = await started('content', (request, response) => {
    const [, key, name] = /^\/([^/]+)\/(.+)$/.exec(request.url ?? '') ?? [];
    const model = models[decodeURIComponent(key)];
    send(model, model.files[decodeURIComponent(name)], request, response);
  });
  const hub = await started('hub', (request, response) => {
    const path = decodeURIComponent((request.url ?? '').split('?')[0]);
    const [, id, kind, rest = ''] =
      /^\/api\/models\/([^/]+\/[^/]+)\/(tree)\/(.*)$/.exec(path) ?? /^\/([^/]+\/[^/]+)\/(resolve)\/(.*)$/.exec(path) ?? [];
    const [revision, ...inside] = rest.split('/');
    const key = revision === 'main' ? id : `${id}@${revision}`;
    const model = models[key];
    const refused = (/** @type {number} */ status, /** @type {string} */ code) =>
      response.writeHead(status, { ...cors, 'x-error-code': code }).end(code);
    if (!model) return void (models[id] ? refused(404, 'RevisionNotFound') : refused(401, 'RepoNotFound'));
    const name = inside.join('/');
    if (model.status && !(kind === 'tree' && model.code === 'GatedRepo')) return void refused(model.status, model.code ?? '');
    if (kind === 'tree') {
      const begin = name ? `${name}/` : '';
      const rows = Object.entries(model.files)
        .filter(([file]) => file.startsWith(begin))
        .map(([file, bytes]) => {
          const folder = file.slice(begin.length).split('/');
          return folder.length > 1
            ? { type: 'directory', path: begin + folder[0], size: 0 }
            : { type: 'file', path: file, size: model.listed?.[file] ?? ('size' in bytes ? bytes.size : bytes.length) };
        });
      if (rows.length === 0) return void refused(404, 'EntryNotFound');
      // Each page of the list has three entries.
      const page = Number(new URL(request.url ?? '', 'http://x').searchParams.get('cursor') ?? 0);
      const next =
        rows.length > page + 3
          ? { link: `<${at(hub)}/api/models/${id}/tree/${revision}${name && `/${name}`}?cursor=${page + 3}>; rel="next"` }
          : {};
      return void response
        .writeHead(200, { ...cors, 'content-type': 'application/json', ...next })
        .end(JSON.stringify(rows.slice(page, page + 3)));
    }
    const file = model.files[name];
    if (!file) return void refused(404, 'EntryNotFound');
    const headers = { ...cors, 'x-repo-commit': '0123456789abcdef0123456789abcdef01234567' };
    if (/\.json$/.test(name)) return send(model, file, request, response, headers);
    response.writeHead(302, { ...headers, location: `${at(content)}/${encodeURIComponent(key)}/${encodeURIComponent(name)}` }).end();
  });

  /** @param {Model} model @param {Buffer | { size: number, head: Buffer }} file @param {import('node:http').IncomingMessage} request @param {import('node:http').ServerResponse} response */
  function send(model, file, request, response, headers = {}) {
    const size = 'size' in file ? file.size : file.length;
    const bytes = 'size' in file ? file.head : file;
    const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') ?? [];
    if (from === undefined || model.ranges === false) return void response.writeHead(200, { ...cors, ...headers }).end(bytes);
    if (Number(from) >= size) return void response.writeHead(416, { ...cors, ...headers, 'content-range': `bytes */${size}` }).end();
    const end = Math.min(Number(to) + 1, size);
    const out = Buffer.alloc(end - Number(from));
    bytes.copy(out, 0, Number(from), end);
    response.writeHead(206, { ...cors, ...headers, 'content-range': `bytes ${from}-${end - 1}/${size}` }).end(out);
  }
  return {
    address: at(hub),
    asked,
    close: () => Promise.all([hub, content].map((server) => (server.closeAllConnections(), server.close()))),
  };
}
