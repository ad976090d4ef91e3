import { createReadStream, readFileSync, statSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join, normalize, sep } from 'node:path';
import { landingPaths, localeSetting, type PageVisit, pageLanguage } from '../server/http/pages/landing-choice.ts';
import { landingPageFile, pageFile } from '../server/http/pages/page-files.ts';

const types: Record<string, string> = {
  '.css': 'text/css',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.map': 'application/json',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.wasm': 'application/wasm',
  '.webmanifest': 'application/manifest+json',
  '.webp': 'image/webp',
  '.woff2': 'font/woff2',
};

const demoPath = '/public-test';

type AnswerCall = (request: IncomingMessage, response: ServerResponse) => void;

const refuseCall: AnswerCall = (_, response) => void response.writeHead(404).end();

type ServedClient = { url: string; apiCalls: string[]; close(): Promise<void> };

/**
 * Serves a built client from `folder` on a free port of this machine, without any API. A path below `/api` is noted in `apiCalls`, and
 * `answerCall` answers it, with 404 unless it is given. The landing page and the demonstration come prerendered; any other path without a
 * file answers the client's empty page, into which it draws what is there. The real server has a page with a head of its own for each, and
 * 404 for the rest.
 */
export async function serveClient(folder: string, answerCall: AnswerCall = refuseCall): Promise<ServedClient> {
  const apiCalls: string[] = [];
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://client');
    const path = decodeURIComponent(pathname);
    if (path === '/api' || path.startsWith('/api/') || path === '/health') {
      apiCalls.push(`${request.method} ${path}`);
      answerCall(request, response);
      return;
    }
    const { cookie: cookies, 'accept-language': accepted } = request.headers;
    const visit = { asked: searchParams.get('lang'), cookies, accepted };
    const file =
      prerenderedPageAt(folder, path, visit) ?? fileAt(folder, path) ?? (extname(path) === '' ? join(folder, 'index.html') : null);
    if (file === null) {
      response.writeHead(404).end();
      return;
    }
    // As the real server: the name of an asset holds its content's hash.
    const caching = path.startsWith('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache';
    response.writeHead(200, { 'Content-Type': types[extname(file)] ?? 'application/octet-stream', 'Cache-Control': caching });
    createReadStream(file)
      .once('error', () => response.destroy())
      .pipe(response);
  });
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    apiCalls,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** A prerendered page in the visitor's language, if the folder has one: the folder may hold another client. */
function prerenderedPageAt(folder: string, path: string, visit: Omit<PageVisit, 'setting'>): string | null {
  const isLanding = landingPaths.some((one) => one === path);
  if (!isLanding && path !== demoPath) return null;
  const setting = localeSetting(readFileSync(join(folder, 'index.html'), 'utf8'));
  const language = pageLanguage({ ...visit, setting });
  return fileAt(folder, isLanding ? landingPageFile(language) : pageFile(language, demoPath.slice(1)));
}

/** Returns the file of a URL path inside the folder, for a folder its page, or null, also for a path that leads out of it. */
function fileAt(folder: string, path: string): string | null {
  const file = join(folder, normalize(path.replace(/\/$/, '/index.html')));
  if (!file.startsWith(folder + sep)) return null;
  return statSync(file, { throwIfNoEntry: false })?.isFile() ? file : null;
}
