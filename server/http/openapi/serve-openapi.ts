import type { FastifyInstance } from 'fastify';
import type { OpenApiDocument } from './openapi-document.ts';

/** Serves the description of the API as JSON and as a page. Both are loaded and created at the first request, and cached. */
export function serveOpenApi(app: FastifyInstance, version: string): void {
  let made: Promise<{ document: OpenApiDocument; page: string }> | null = null;
  const make = async () => {
    const [{ docsPage }, { openApiDocument }] = await Promise.all([import('./docs-page.ts'), import('./openapi-document.ts')]);
    const document = openApiDocument(version);
    return { document, page: docsPage(document) };
  };
  app.get('/api/openapi.json', async (_request, reply) => {
    made ??= make();
    return reply.header('cache-control', 'no-cache').send((await made).document);
  });
  app.get('/api/docs', async (_request, reply) => {
    made ??= make();
    return reply
      .header('cache-control', 'no-cache')
      .type('text/html; charset=utf-8')
      .send((await made).page);
  });
}
