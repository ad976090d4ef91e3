import type { FastifyInstance } from 'fastify';
import { docsPage } from './docs-page.ts';
import { type OpenApiDocument, openApiDocument } from './openapi-document.ts';

/** Serves the description of the API as JSON and as a page. Both are created at the first request and cached. */
export function serveOpenApi(app: FastifyInstance, version: string): void {
  let made: { document: OpenApiDocument; page: string } | null = null;
  const make = () => {
    const document = openApiDocument(version);
    return { document, page: docsPage(document) };
  };
  app.get('/api/openapi.json', async (_request, reply) => {
    made ??= make();
    return reply.header('cache-control', 'no-cache').send(made.document);
  });
  app.get('/api/docs', async (_request, reply) => {
    made ??= make();
    return reply.header('cache-control', 'no-cache').type('text/html; charset=utf-8').send(made.page);
  });
}
