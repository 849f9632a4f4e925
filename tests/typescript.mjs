// Node runs the TypeScript of web/ as it is: `node --import ./tests/typescript.mjs`. Types are erased by the bundler of the build; the names
// that begin with # are in web/package.json, for Node as for everybody.

import { register } from 'node:module';

register('./typescript-hooks.mjs', import.meta.url);
