// How the programs reach the hosted page and the widget: as files beside the script.

import core from '#core.wasm';
import count from '#count.wasm';

export const countBytes = () => fetch(new URL(count, import.meta.url));

export const wholeBytes = () => fetch(new URL(core, import.meta.url));
