// Finds whole numbers that a configuration writes as floats. JavaScript would write 7.0 as 7, but transformers expects a float.

const MARK = '\u0001float:';

/**
 * Parses the published models. `floats` lists the paths of whole numbers that are written as floats in each configuration.
 * @param {string} text of web/data/models.json
 * @returns {{ id: string, config: object, floats?: string[] }[]}
 */
export function parseModels(text) {
  const marked = text.replace(/"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g, (token) =>
    /^-?\d+$/.test(token) || token.startsWith('"') || !Number.isSafeInteger(Number(token)) ? token : `"\\u0001float:${token}"`,
  );
  return JSON.parse(marked).map((/** @type {any} */ model) => {
    const floats = /** @type {string[]} */ ([]);
    const config = unmark(model.config, '', floats);
    return { ...model, config, ...(floats.length > 0 && { floats }) };
  });
}

/** @param {unknown} value @param {string} path @param {string[]} floats @returns {unknown} */
function unmark(value, path, floats) {
  if (typeof value === 'string' && value.startsWith(MARK)) {
    floats.push(path);
    return Number(value.slice(MARK.length));
  }
  if (value === null || typeof value !== 'object') return value;
  const under = (/** @type {string} */ key) => (path === '' ? key : `${path}.${key}`);
  if (Array.isArray(value)) return value.map((item, i) => unmark(item, under(String(i)), floats));
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, unmark(item, under(key), floats)]));
}
