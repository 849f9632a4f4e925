// The modules that build.mjs puts in place.

declare module 'core-glue' {
  export interface Core {
    count(config: Uint8Array): Uint8Array;
    catalog(): Uint8Array;
    instantiateWasm(
      imports: WebAssembly.Imports,
      receive: (instance: WebAssembly.Instance, program: WebAssembly.Module) => WebAssembly.Exports,
    ): WebAssembly.Exports;
  }
  /** Fills in the object that it is given. */
  export default function createCore(core: Core): Promise<Core>;
}

declare module 'core-bytes' {
  export function wasmBytes(): Promise<ArrayBuffer>;
}

declare module 'core-wasm' {
  /** The file's address, or its content: see build.mjs. */
  const wasm: string;
  export default wasm;
}
