// How the wasm reaches the hosted page and the widget: as files beside the script. What counts comes first; the whole core when somebody asks
// more than a count.

import count from 'count-wasm';
import core from 'core-wasm';

export const wasmSource = () => fetch(new URL(count, import.meta.url));

export const wholeSource = () => fetch(new URL(core, import.meta.url));
