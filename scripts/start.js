import { enableCompileCache } from 'node:module';
import { join } from 'node:path';

/**
 * `npm start`. Plain JavaScript: Node's reader of TypeScript takes 15 MB, which the server would keep. The cache has what that reader made of
 * the scripts, and the compiled code of the server (`server-build/program.ts`).
 */
enableCompileCache(join(import.meta.dirname, '..', 'dist-server', 'compiled'));
await import('./start-product.ts');
