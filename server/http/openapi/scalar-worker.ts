import { gzipSync } from 'node:zlib';
import scalar from '@scalar/fastify-api-reference';
import fastify from 'fastify';

/** Returns Scalar's script, compressed. The package has it only behind a route of its plugin. */
export async function compressedScript(): Promise<Uint8Array> {
  const app = fastify();
  app.register(scalar, { routePrefix: '/', configuration: { url: '/' } });
  const { rawPayload } = await app.inject('/js/scalar.js');
  return gzipSync(rawPayload, { level: 9 });
}
