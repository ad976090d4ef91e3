import { existsSync } from 'node:fs';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { withoutTrailingSlashes } from '../../../contract/without-trailing-slashes.ts';
import { ApiError } from '../api-error.ts';
import { createClientPages } from './client-pages.ts';
import { nameClientVersion } from './client-version.ts';
import { landingPaths } from './landing-choice.ts';

/** The first pages of the help, which the build has beside the client. */
const helpPaths = ['/help', '/help/ru'];

const testPages = new Set(['/test-auth', '/simple-test', '/login-test', '/storage-test']);

type ClientFiles = {
  /** The built client; null when only the API is served. */
  folder: string | null;
  /** The folder with the assets of earlier builds, filled by `keepAssets`; null when they are not kept. */
  kept: string | null;
  testPages: boolean;
  /** The server's public address without a trailing slash; empty if it is not configured. */
  origin: string;
};

/** Serves the built client, and its page for every address that the client routes itself. Other addresses are `not_found`. */
export async function serveClient(app: FastifyInstance, client: ClientFiles): Promise<void> {
  const folder = client.folder !== null && existsSync(join(client.folder, 'index.html')) ? client.folder : null;
  if (folder === null) {
    app.setNotFoundHandler(() => {
      throw new ApiError('not_found');
    });
    return;
  }
  await nameClientVersion(app, folder);
  const assetFolders = [folder, client.kept, join(folder, 'help')].filter((root) => root !== null).map((root) => join(root, 'assets'));
  await app.register(fastifyStatic, {
    // A file that this build lacks may be a piece of an earlier build.
    root: client.kept === null ? folder : [folder, client.kept],
    prefix: '/',
    index: 'index.html',
    dotfiles: 'ignore',
    preCompressed: true,
    cacheControl: false,
    // Files are small. A range that cannot be satisfied would add another failure.
    acceptRanges: false,
    setHeaders: (response, path) => {
      const hashed = assetFolders.some((pieces) => path.startsWith(pieces));
      response.header('cache-control', hashed ? 'public, max-age=31536000, immutable' : 'no-cache');
    },
  });
  const pages = createClientPages(folder, client.origin);
  for (const path of landingPaths) app.get(path, pages.sendLanding);
  for (const path of helpPaths) {
    app.get(path, (request, reply) => {
      if (request.url.startsWith(`${path}/`)) return reply.sendFile(`${path}/index.html`);
      return path === '/help' ? pages.sendToHelp(request, reply) : reply.redirect(`${path}/`);
    });
  }
  app.get('/llms.txt', (_, reply) => reply.redirect('/help/llms.txt'));
  app.setNotFoundHandler((request, reply) => {
    const path = pathOf(request);
    if (!isPageRequest(request, path, pages.has(path)) || (!client.testPages && testPages.has(path))) throw new ApiError('not_found');
    return pages.sendPage(request, reply, path);
  });
}

/** Whether a request may get a page. Link previews send no `Accept: text/html`, so an address with a page needs none. */
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

/** The path, decoded as the client's router reads it. */
function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
