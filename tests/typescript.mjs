// Lets Node run the TypeScript of web/ without a build: `node --import ./tests/typescript.mjs`. The build's bundler removes the types. The
// names that begin with # are imports in web/package.json, which Node resolves itself.

import { register } from 'node:module';

register('./typescript-hooks.mjs', import.meta.url);
