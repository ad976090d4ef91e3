import { existsSync } from 'node:fs';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { withoutTrailingSlashes } from '../../../contract/without-trailing-slashes.ts';
import { ApiError } from '../api-error.ts';
import { createClientPages } from './client-pages.ts';
import { nameClientVersion } from './client-version.ts';
import { landingPaths } from './landing-choice.ts';

const testPages = new Set(['/test-auth', '/simple-test', '/login-test', '/storage-test']);

export type ClientFiles = {
  /** The built client; null when only the API is served. */
  folder: string | null;
  /** Where the pieces of earlier builds are kept, by `keepPieces`; null when they are not. */
  kept: string | null;
  testPages: boolean;
  /** How people reach the server, without a slash at the end; empty where nobody said so. */
  origin: string;
};

/** Serves the built client, and a page of it for every address that the client routes itself. What is left is `not_found`. */
export async function serveClient(app: FastifyInstance, client: ClientFiles): Promise<void> {
  const folder = client.folder !== null && existsSync(join(client.folder, 'index.html')) ? client.folder : null;
  if (folder === null) {
    app.setNotFoundHandler(() => {
      throw new ApiError('not_found');
    });
    return;
  }
  await nameClientVersion(app, folder);
  const pieceFolders = [folder, client.kept].filter((root) => root !== null).map((root) => join(root, 'assets'));
  await app.register(fastifyStatic, {
    // What this build does not have may be a piece of an earlier one.
    root: client.kept === null ? folder : [folder, client.kept],
    prefix: '/',
    index: 'index.html',
    dotfiles: 'ignore',
    preCompressed: true,
    cacheControl: false,
    // Files are small, and a range that cannot be met would be a failure of its own.
    acceptRanges: false,
    setHeaders: (response, path) => {
      const hashed = pieceFolders.some((pieces) => path.startsWith(pieces));
      response.header('cache-control', hashed ? 'public, max-age=31536000, immutable' : 'no-cache');
    },
  });
  const pages = createClientPages(folder, client.origin);
  for (const path of landingPaths) app.get(path, pages.sendLanding);
  app.setNotFoundHandler((request, reply) => {
    const path = pathOf(request);
    if (!isPageRequest(request, path, pages.has(path)) || (!client.testPages && testPages.has(path))) throw new ApiError('not_found');
    return pages.sendPage(request, reply, path);
  });
}

/** Who asks for a page that there is need not say that it is to be a page: those who show a link to it do not. */
function isPageRequest(request: FastifyRequest, path: string, isPage: boolean): boolean {
  const wantsPage = isPage || (request.headers.accept ?? '').includes('text/html');
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
  const lower = decoded(path).toLowerCase();
  return withoutTrailingSlashes(lower) || lower.slice(0, 1);
}

/** The page reads its address decoded. */
function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
