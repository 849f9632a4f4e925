// Computes the length of a safetensors file: eight bytes with the length of the header, the header, and the tensors. The header is JSON
// without spaces that lists the tensors in file order: by the rank of their dtypes from high to low, then by name. It is padded with
// spaces to a multiple of 8 bytes.

/** @typedef {{ name: string, dtype: string, shape: number[] }} Stored */

/** The bytes per element of each dtype, in the order in which safetensors ranks dtypes. */
const DTYPES = { U8: 1, I8: 1, F8_E4M3: 1, F16: 2, BF16: 2, I32: 4, U32: 4, F32: 4, I64: 8 };

/** @param {Stored} tensor */
export const bytesOf = ({ dtype, shape }) => shape.reduce((product, n) => product * n, DTYPES[/** @type {keyof typeof DTYPES} */ (dtype)]);

/** @param {string} metadata */
const begin = (metadata) => `{"__metadata__":${metadata},`;
const entry = (/** @type {Stored} */ { name, dtype, shape }, /** @type {string} */ offsets) =>
  `"${name}":{"dtype":"${dtype}","shape":[${shape.join(',')}],"data_offsets":[${offsets}]}`;

/**
 * The exact length of a safetensors file in bytes.
 * @param {Stored[]} tensors
 * @param {object} [metadata]
 */
export function fileLength(tensors, metadata = { format: 'pt' }) {
  const rank = (/** @type {Stored} */ { dtype }) => Object.keys(DTYPES).indexOf(dtype);
  const ordered = [...tensors].sort((a, b) => rank(b) - rank(a) || (a.name < b.name ? -1 : 1));
  let at = 0;
  const entries = ordered.map((tensor) => entry(tensor, `${at},${(at += bytesOf(tensor))}`));
  const header = begin(JSON.stringify(metadata)).length + entries.join(',').length + 1;
  return 8 + Math.ceil(header / 8) * 8 + at;
}

/**
 * The smallest and the largest possible total length of several files in bytes. The length depends on the distribution of the tensors among
 * the files, which decides how many digits their offsets have.
 * @param {Stored[]} tensors
 * @param {number} files
 */
export function filesLength(tensors, files) {
  const [least, most] = [1, 11].map((digits) => {
    const place = '0'.repeat(digits);
    return tensors.reduce((sum, tensor) => sum + entry(tensor, `${place},${place}`).length + 1 + bytesOf(tensor), 0);
  });
  return [least + files * (8 + begin('{}').length), most + files * (8 + begin('{"format":"pt","total_size":"000000000000"}').length + 8)];
}
