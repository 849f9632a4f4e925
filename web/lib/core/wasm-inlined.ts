// How the wasm reaches the offline file and the package: inside the script, deflated, in base64.

import packed from 'core-wasm';

export function wasmSource(): Response {
  const bytes = Uint8Array.from(atob(packed), (character) => character.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate'));
  return new Response(stream, { headers: { 'content-type': 'application/wasm' } });
}

/** There is no other. */
export const wholeSource = undefined;
