// How the wasm reaches the hosted page: as a file beside its script.

import file from 'core-wasm';

export async function wasmBytes() {
  const response = await fetch(new URL(file, import.meta.url));
  if (!response.ok) throw new Error(`${response.url}: HTTP ${response.status}`);
  return response.arrayBuffer();
}
