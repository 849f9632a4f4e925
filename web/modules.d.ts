// The modules that build.mjs puts in place.

/** Of the package, the command line and the answers: see package.json. */
declare const PARAM_LEDGER_VERSION: string;

declare module 'core-glue' {
  export interface Core {
    /** Where so many bytes of the next question are to be put: see `put` in lib/core/put.ts. */
    room(bytes: number): Uint8Array;
    count(): Uint8Array;
    totals(): Uint8Array;
    compare(): Uint8Array;
    read(): Uint8Array;
    memory(): Uint8Array;
    check(): Uint8Array;
    article(): Uint8Array;
    search(): Uint8Array;
    search_step(): Uint8Array;
    catalog(): Uint8Array;
    instantiateWasm(
      imports: WebAssembly.Imports,
      receive: (instance: WebAssembly.Instance, program: WebAssembly.Module) => WebAssembly.Exports,
    ): WebAssembly.Exports;
  }
  /** Fills in the object that it is given. */
  export default function createCore(core: Partial<Core>): Promise<Core>;
}

declare module 'core-bytes' {
  export function wasmSource(): import('./lib/types.ts').WasmSource | Promise<import('./lib/types.ts').WasmSource>;
  /** Where `wasmSource` only counts: the program with every question. */
  export const wholeSource: typeof wasmSource | undefined;
}

declare module 'articles' {
  /** All of web/articles, by their ids. */
  const articles: Readonly<Record<string, import('./lib/types.ts').Article>>;
  export default articles;
}

declare module 'search-worker' {
  /** The script of app/search-worker.ts, as text. */
  const script: string;
  export default script;
}

declare module 'count-wasm' {
  /** The file's address. */
  const wasm: string;
  export default wasm;
}

declare module 'core-wasm' {
  /** The file's address, or its content: see build.mjs. */
  const wasm: string;
  export default wasm;
}

declare module 'catalogue-text' {
  export function catalogueText(): Promise<string>;
}

declare module 'catalogue-json' {
  /** The file's address, or its content: see build.mjs. */
  const catalogue: string;
  export default catalogue;
}

declare module 'catalogue-first' {
  /** The first of the catalogue, on which the page opens. */
  const first: import('./lib/models/entry.ts').Published;
  export default first;
}

declare module 'verified' {
  const verified: import('./verified.mjs').Verified;
  export default verified;
}

declare module 'hub-request' {
  /** Undefined in the offline file, which makes no request. */
  export const configFromHub: typeof import('./lib/models/hub-request.ts').configFromHub | undefined;
}

declare module 'page-options' {
  /** Where the hosted page stands, for links out of a file; empty where nobody has said. */
  export const home: string;
  /** Where the sources can be read; empty where nobody has said. */
  export const source: string;
  /** Whether this page is the one file, whose own address nobody else can open. */
  export const isFile: boolean;
}

declare module 'widget-style' {
  /** The widget's style sheet. */
  const style: string;
  export default style;
}

declare module 'views-style' {
  /** What the views that are loaded later bring beside the page's style sheet. */
  const style: string;
  export default style;
}

declare module 'compact-style' {
  /** What the page in compact form brings beside its style sheet. */
  const style: string;
  export default style;
}
