import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { FastifyInstance } from 'fastify';
import { Tinypool } from 'tinypool';
import { takesCoding } from '../pages/client-pages.ts';
import { docsPage, formAddress, scriptAddress } from './docs-page.ts';

/** Serves the description of the API as JSON and as a page. Both are loaded and created at the first request, and cached. */
export function serveOpenApi(app: FastifyInstance, version: string): void {
  let description: ReturnType<typeof describeApi> | null = null;
  let script: Promise<Uint8Array> | null = null;
  app.get('/api/openapi.json', async (request, reply) => {
    description ??= describeApi(version);
    const { json, compressed } = await description;
    reply.header('cache-control', 'no-cache').header('vary', 'Accept-Encoding').type('application/json; charset=utf-8');
    if (!takesCoding(request.headers['accept-encoding'], 'gzip')) return reply.send(json);
    return reply.header('content-encoding', 'gzip').send(compressed);
  });
  app.get('/api/docs', async (_request, reply) =>
    reply.header('cache-control', 'no-cache').type('text/html; charset=utf-8').send(docsPage),
  );
  app.get(formAddress, async (_request, reply) =>
    reply
      .header('cache-control', 'no-cache')
      .type('text/javascript; charset=utf-8')
      .send(await readFile(new URL('./try-call.js', import.meta.url), 'utf8')),
  );
  app.get(scriptAddress, async (_request, reply) => {
    script ??= readScript().catch((error) => {
      script = null;
      throw error;
    });
    // Only browsers ask for it, and each of them takes gzip. After an update they use the script of before for an hour at most.
    reply.header('cache-control', 'public, max-age=3600').header('content-encoding', 'gzip').type('text/javascript; charset=utf-8');
    return reply.send(await script);
  });
}

/** The build has written the document (`scripts/server-build/api-document-in-bundle.ts`). Without a build it is made here. */
async function describeApi(version: string): Promise<{ json: string; compressed: Buffer }> {
  const { openApiDocument } = await import('./openapi-document.ts');
  const json = JSON.stringify(openApiDocument(version));
  return { json, compressed: await promisify(gzip)(json) };
}

/** On a thread that ends: the package of the script takes 50 MB while it is loaded. */
async function readScript(): Promise<Uint8Array> {
  const pool = new Tinypool({ filename: new URL('./scalar-worker.ts', import.meta.url), minThreads: 0, maxThreads: 1 });
  try {
    return await pool.run(null, { name: 'compressedScript' });
  } finally {
    await pool.destroy();
  }
}
