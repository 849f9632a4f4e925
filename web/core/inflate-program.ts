// Decompresses a WebAssembly program that is embedded in a script as base64.

export function inflateProgram(packed: string): Response {
  const bytes = Uint8Array.from(atob(packed), (character) => character.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate'));
  return new Response(stream, { headers: { 'content-type': 'application/wasm' } });
}
