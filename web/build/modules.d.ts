// Types of the modules that make.mjs writes to web/made, and of a module of the custom-elements analyzer.

declare module '#core-glue' {
  export interface Core {
    /** Reserves this many bytes in the core's memory for the input of the next call: see `writeInput` in core/write-input.ts. */
    room(bytes: number): Uint8Array;
    count(): Uint8Array;
    totals(): Uint8Array;
    compare(): Uint8Array;
    read(): Uint8Array;
    memory(): Uint8Array;
    devices(): Uint8Array;
    operations(): Uint8Array;
    check(): Uint8Array;
    article(): Uint8Array;
    lesson(): Uint8Array;
    derive(): Uint8Array;
    counterfactuals(): Uint8Array;
    search(): Uint8Array;
    search_step(): Uint8Array;
    wants(): Uint8Array;
    catalog(): Uint8Array;
    instantiateWasm(
      imports: WebAssembly.Imports,
      receive: (instance: WebAssembly.Instance, program: WebAssembly.Module) => WebAssembly.Exports,
    ): WebAssembly.Exports;
  }
  /** Adds the functions of the program to the given object. */
  export default function createCore(core: Partial<Core>): Promise<Core>;
}

declare module '#core.wasm' {
  /** The URL of the full WebAssembly program. */
  const address: string;
  export default address;
}

declare module '#count.wasm' {
  /** The address of the program that counts the common types. */
  const address: string;
  export default address;
}

declare module '#published.wasm' {
  /** The address of the program that counts the types of published models. */
  const address: string;
  export default address;
}

declare module '#core-packed' {
  /** The full WebAssembly program, deflated, in base64. */
  const packed: string;
  export default packed;
}

declare module '#count-packed' {
  /** The program that counts the common types, deflated, in base64. */
  const packed: string;
  export default packed;
}

declare module '#published-packed' {
  /** The program that counts the types of published models, deflated, in base64. */
  const packed: string;
  export default packed;
}

declare module '#models.json' {
  /** The URL of the catalogue. */
  const address: string;
  export default address;
}

declare module '#models-text' {
  /** The catalogue as JSON text. */
  const text: string;
  export default text;
}

declare module '#first-model' {
  /** The first model of the catalogue, which the page shows when it opens. */
  const first: import('../config/entry.ts').Published;
  export default first;
}

declare module '#verified' {
  /** For each model type, how many comparisons the tests make. */
  const verified: Readonly<Record<string, import('../types/index.ts').Verified>>;
  export default verified;
}

declare module '#search-worker' {
  /** The script of app/search-worker.ts, as text. */
  const script: string;
  export default script;
}

declare module '#widget-style' {
  /** The widget's style sheet. */
  const style: string;
  export default style;
}

declare module '#views-style' {
  /** The style sheet of the views that are loaded on demand. */
  const style: string;
  export default style;
}

declare module '#compact-style' {
  /** The additional style sheet of the compact page. */
  const style: string;
  export default style;
}

declare module '@custom-elements-manifest/analyzer/src/create.js' {
  interface Declaration {
    superclass?: { name: string };
    members?: { name: string; kind: string; static?: boolean }[];
  }
  export function create(options: { modules: import('typescript').SourceFile[] }): { modules: { declarations: Declaration[] }[] };
}
