// How the wasm reaches the package: in a module of its own, which only those load who hand in no wasm themselves.

export const wasmSource = async () => (await import('./wasm-inlined.ts')).wasmSource();
