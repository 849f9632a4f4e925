// Inflates a program that a script contains as base64.

export function inflateProgram(packed: string): Response {
  const bytes = Uint8Array.from(atob(packed), (character) => character.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate'));
  return new Response(stream, { headers: { 'content-type': 'application/wasm' } });
}
