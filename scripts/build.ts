import { buildProduct } from './build-product.ts';

/** `npm run build`: the client, published beside the pieces of the builds before it, and the bundle of the server. */
if (!(await buildProduct())) process.exitCode = 1;
