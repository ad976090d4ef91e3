import { existsSync } from 'node:fs';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Fault } from './fault.ts';

const testPages = new Set(['/test-auth', '/simple-test', '/login-test', '/storage-test']);

export type ClientFiles = {
  /** The built client; null when only the API is served. */
  folder: string | null;
  testPages: boolean;
};

/** Serves the built client, and its page for every address that the client routes itself. What is left is `not_found`. */
export async function serveClient(app: FastifyInstance, client: ClientFiles): Promise<void> {
  const { folder } = client;
  const page = folder !== null && existsSync(join(folder, 'index.html')) ? folder : null;
  if (page !== null) {
    await app.register(fastifyStatic, {
      root: page,
      prefix: '/',
      index: 'index.html',
      dotfiles: 'ignore',
      cacheControl: false,
      setHeaders: (response, path) => {
        const hashed = path.startsWith(join(page, 'assets'));
        response.header('cache-control', hashed ? 'public, max-age=31536000, immutable' : 'no-cache');
      },
    });
  }
  app.setNotFoundHandler((request, reply) => {
    if (page === null || !isPageRequest(request) || (!client.testPages && testPages.has(pathOf(request)))) throw new Fault('not_found');
    return reply.header('cache-control', 'no-cache').sendFile('index.html', page, { cacheControl: false });
  });
}

function isPageRequest(request: FastifyRequest): boolean {
  const path = pathOf(request);
  const wantsPage = (request.headers.accept ?? '').includes('text/html');
  return (
    (request.method === 'GET' || request.method === 'HEAD') &&
    wantsPage &&
    path !== '/api' &&
    !path.startsWith('/api/') &&
    !path.startsWith('/assets/')
  );
}

function pathOf(request: FastifyRequest): string {
  const path = request.url.split('?')[0] ?? '';
  return decoded(path)
    .toLowerCase()
    .replace(/(?<=.)\/+$/, '');
}

/** The page reads its address decoded. */
function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
