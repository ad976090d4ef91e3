import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { get } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync } from 'node:zlib';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { serveCrawlerFiles } from '../../../server/http/pages/crawler-files.ts';
import { serveClient } from '../../../server/http/pages/static-files.ts';
import { makeWebServer } from '../../../server/http/web-server.ts';
import { makeLogger } from '../../../server/logging.ts';

let folder: string;
let app: FastifyInstance;
const html = { accept: 'text/html,*/*' };

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'artel client '));
  await mkdir(join(folder, 'assets'));
  await mkdir(join(folder, '.vite'));
  await writeFile(join(folder, 'index.html'), '<title>Artel</title>');
  await writeFile(join(folder, 'assets', 'main-abc123.js'), 'export {};');
  await writeFile(join(folder, '.vite', 'manifest.json'), '{}');
  await writeFile(join(folder, 'favicon.svg'), '<svg/>');
  await writeFile(join(folder, 'assets', 'main-abc123.js.br'), brotliCompressSync('export {};'));
  app = await serverOf(true);
});
afterAll(async () => {
  await app?.close();
  await rm(folder, { recursive: true });
});

async function serverOf(testPages: boolean): Promise<FastifyInstance> {
  const rule = { publicUrl: 'https://artel.example', allowedOrigins: [], apiOrigins: ['https://api.example'], trustProxy: false };
  const server = await makeWebServer(makeLogger('silent'), rule);
  serveCrawlerFiles(server, () => 'https://artel.example');
  await serveClient(server, { folder, kept: null, testPages, origin: 'https://artel.example' });
  return server;
}

test.each(['/', '/test-project', '/test-project/', '/privacy-policy?lang=en', '/no-such-page'])(
  'P2.01 the page is served for %s',
  async (url) => {
    const response = await app.inject({ url, headers: html });
    expect(response.statusCode).toBe(200);
    expect(response.body).toBe('<title>Artel</title>');
    expect(response.headers['content-type']).toContain('text/html');
    expect(response.headers['cache-control']).toBe('no-cache');
  },
);

test('P2.01 R01.01 each page comes with its own head in the language asked for, once a build brought one, and what is no page with 404', async () => {
  expect((await app.inject({ url: '/public-test', headers: html })).body).toBe('<title>Artel</title>');
  for (const language of ['ru', 'en']) {
    for (const name of ['public-test', '404'])
      await addPage(language, name, `${language} ${name} <link rel="canonical" href="/public-test" />`);
  }
  const answer = async (url: string, headers: Record<string, string> = html) => {
    const { statusCode, body } = await app.inject({ url, headers });
    return [statusCode, body];
  };
  const demo = (language: string, query: string) =>
    `${language} public-test <link rel="canonical" href="https://artel.example/public-test${query}" />`;
  expect(await answer('/public-test?projectId=a')).toEqual([200, demo('ru', '')]);
  expect(await answer('/Public-Test/?lang=en&projectId=a')).toEqual([200, demo('en', '?lang=en')]);
  // A program that shows a preview of a link accepts any type.
  expect(await answer('/public-test', { accept: '*/*', cookie: 'language=en' })).toEqual([200, demo('en', '')]);
  for (const url of ['/no-such-page', '/404', '/public-test/more']) {
    expect(await answer(url)).toEqual([404, expect.stringContaining('ru 404')]);
  }
  expect((await answer('/.pages/ru/public-test.html', { accept: '*/*' }))[0]).toBe(404);
  await rm(join(folder, '.pages'), { recursive: true });
});

test('R10.01 the help is served below /help, with a page of its own for missing addresses and no script in a page', async () => {
  await mkdir(join(folder, 'help', 'assets'), { recursive: true });
  for (const file of ['index.html', '404.html', 'models.html', 'assets/app.abc123.js', 'llms.txt'])
    await writeFile(join(folder, 'help', file), `the ${file}`);
  for (const [url, to] of [
    ['/help', '/help/'],
    ['/help?lang=ru', '/help/ru/'],
    ['/help/ru', '/help/ru/'],
    ['/help/models', '/help/models.html'],
    ['/llms.txt', '/help/llms.txt'],
  ]) {
    const { statusCode, headers } = await app.inject({ url: url as string, headers: { ...html, cookie: 'language=en' } });
    expect([url, statusCode, headers.location]).toEqual([url, 302, to]);
  }
  const page = await app.inject({ url: '/help/', headers: html });
  expect([page.statusCode, page.body, page.headers['cache-control']]).toEqual([200, 'the index.html', 'no-cache']);
  expect(page.headers['content-security-policy']).toContain("script-src 'self';");
  expect((await app.inject({ url: '/help/llms.txt' })).headers['content-type']).toBe('text/plain; charset=utf-8');
  expect((await app.inject({ url: '/help/assets/app.abc123.js' })).headers['cache-control']).toContain('immutable');
  for (const url of ['/help/none.html', '/help/ru/none', '/help/assets']) {
    const { statusCode, body } = await app.inject({ url, headers: html });
    expect([url, statusCode, body]).toEqual([url, 404, 'the 404.html']);
  }
  for (const url of [
    '/help/none.html',
    '/help/%2e%2e/%2e%2e/package.json',
    '/help/..%2f.vite/manifest.json',
    '/help/..%5c..%5cpackage.json',
  ])
    expect([url, (await app.inject({ url })).statusCode]).toEqual([url, 404]);
  await rm(join(folder, 'help'), { recursive: true });
});

test('G2.04 P2.01 a signed link gets its page, which does not contain the link; other addresses below it are not found', async () => {
  for (const [name, text] of [
    ['q', 'question <link rel="canonical" href="/" />'],
    ['404', 'missing'],
  ] as const)
    await addPage('ru', name, text);
  const at = (url: string, headers: Record<string, string> = html) => app.inject({ url, headers });
  const link = await at(`/q/Ab_-${'x'.repeat(39)}?lang=ru`, { accept: '*/*' });
  expect([link.statusCode, link.body]).toEqual([200, 'question <link rel="canonical" href="https://artel.example/" />']);
  expect(link.headers['referrer-policy']).toBe('same-origin');
  for (const url of ['/q', '/q/', '/q/one/two']) expect([url, (await at(url)).statusCode]).toEqual([url, 404]);
  await rm(join(folder, '.pages'), { recursive: true });
});

test('R10.01 a script that a build wrote into a page runs there, and nothing else that stands in a page', async () => {
  const script = "document.title = 'Artel';";
  await addPage('ru', 'public-test', `<script>${script}</script><script src="/a.js"></script>`);
  const policyOf = async (url: string) =>
    String((await app.inject({ url, headers: html })).headers['content-security-policy']).match(/script-src [^;]*/)?.[0];
  const hash = createHash('sha256').update(script).digest('base64');
  expect(await policyOf('/public-test')).toBe(`script-src 'self' 'sha256-${hash}'`);
  expect(await policyOf('/privacy-policy')).toBe("script-src 'self'");
  await rm(join(folder, '.pages'), { recursive: true });
});

/** Writes a page next to the client's page, as a build does. */
async function addPage(language: string, name: string, text: string): Promise<void> {
  await mkdir(join(folder, '.pages', language), { recursive: true });
  await writeFile(join(folder, '.pages', language, `${name}.html`), text);
}

/** Writes a prerendered landing page in each language next to the client's page, as a build does. */
async function addLandingPages(): Promise<void> {
  await mkdir(join(folder, '.pages'), { recursive: true });
  for (const language of ['ru', 'en']) {
    const head = '<link rel="canonical" href="/" /><meta property="og:image" content="/share.png" />';
    await writeFile(join(folder, '.pages', `${language}.html`), `<html lang="${language}"><head>${head}</head></html>`);
  }
}

test('R01.01 the landing page comes prerendered in the language of the address, of the cookie, of the setting, in this order', async () => {
  await addLandingPages();
  const languageAt = async (url: string, cookie = '') => {
    const { body, headers } = await app.inject({ url, headers: { ...html, cookie } });
    expect([headers['cache-control'], headers.vary, headers['content-type']]).toEqual([
      ...['no-cache', 'Accept-Encoding, Cookie', 'text/html; charset=utf-8'],
    ]);
    return /lang="(..)"/.exec(body)?.[1];
  };
  expect(await languageAt('/')).toBe('ru');
  expect(await languageAt('/', 'a=1; language=en')).toBe('en');
  expect(await languageAt('/landing/', 'language=en')).toBe('en');
  expect(await languageAt('/?utm=1&lang=ru', 'language=en')).toBe('ru');
  expect(await languageAt('/landing?lang=en')).toBe('en');
  await writeFile(join(folder, 'index.html'), '<meta name="default-locale" content="en-US" /><title>Artel</title>');
  expect(await languageAt('/')).toBe('en');
  expect(await languageAt('/', 'language=ru')).toBe('ru');

  const english = await app.inject({ url: '/?lang=en' });
  expect(english.body).toContain('<link rel="canonical" href="https://artel.example/?lang=en" />');
  expect(english.body).toContain('content="https://artel.example/share.png"');
  for (const url of ['/test-project', '/public-test', '/forbidden', '/no-such-page']) {
    expect((await app.inject({ url, headers: html })).body).toContain('<title>Artel</title>');
  }
  expect((await app.inject({ url: '/.pages/ru.html', headers: { accept: '*/*' } })).statusCode).toBe(404);
});

test('R01.01 a page is sent compressed, and not again to a client that has it; the other language is another page', async () => {
  const first = await app.inject({ url: '/', headers: { ...html, 'accept-encoding': 'gzip, deflate, br' } });
  expect(first.headers['content-encoding']).toBe('br');
  expect(String(brotliDecompressSync(first.rawPayload))).toContain('<html lang="en">');
  const again = (cookie: string) =>
    app.inject({ url: '/', headers: { cookie, 'accept-encoding': 'br', 'if-none-match': String(first.headers.etag) } });
  expect((await again('')).statusCode).toBe(304);
  expect((await again('language=ru')).statusCode).toBe(200);
  expect((await app.inject({ url: '/', headers: { 'accept-encoding': 'br;q=0, gzip' } })).headers['content-encoding']).toBe('gzip');
  expect((await app.inject({ url: '/' })).headers['content-encoding']).toBeUndefined();

  const script = await app.inject({ url: '/assets/main-abc123.js', headers: { 'accept-encoding': 'br' } });
  expect([script.headers['content-encoding'], script.headers['content-type']]).toEqual(['br', expect.stringContaining('javascript')]);
  expect(script.headers['cache-control']).toBe('public, max-age=31536000, immutable');
});

test('P2.01 R01.01 robots.txt names a map of the public pages for search engines', async () => {
  const robots = await app.inject({ url: '/robots.txt' });
  expect([robots.statusCode, robots.headers['content-type']]).toEqual([200, 'text/plain; charset=utf-8']);
  const map = await app.inject({ url: new URL(/^Sitemap: (.*)$/m.exec(robots.body)?.[1] ?? '').pathname });
  expect(map.headers['content-type']).toContain('application/xml');
  expect(map.body).toContain('<loc>https://artel.example/</loc>');
});

test('P2.01 hashed files are cached permanently, others are revalidated', async () => {
  const asset = await app.inject({ url: '/assets/main-abc123.js' });
  expect(asset.headers['cache-control']).toBe('public, max-age=31536000, immutable');
  expect(asset.headers['content-type']).toContain('javascript');
  expect((await app.inject({ url: '/favicon.svg' })).headers['cache-control']).toBe('no-cache');
});

test.each([
  ['/assets/main-old999.js', html],
  ['/.vite/manifest.json', {}],
  ['/../package.json', {}],
  ['/%2e%2e/package.json', {}],
  ['/api/none', html],
  ['/picture.png', { accept: 'image/*' }],
])('P2.01 %s is not found rather than answered with the page', async (url, headers) => {
  const response = await app.inject({ url, headers });
  expect(response.statusCode).toBe(404);
  expect(response.json()).toMatchObject({ code: 'not_found' });
});

test('R19.01 no path leads out of the folder or to a server error, however it is spelled', async () => {
  const server = await serverOf(true);
  await server.listen({ port: 0, host: '127.0.0.1' });
  const { port } = server.server.address() as AddressInfo;
  const answerTo = (path: string) =>
    new Promise<[number | undefined, string]>((resolve, reject) => {
      const request = get({ host: '127.0.0.1', port, path, agent: false }, (response) => {
        let body = '';
        response.setEncoding('utf8');
        response.on('data', (text: string) => {
          body += text;
        });
        response.on('end', () => resolve([response.statusCode, body]));
      });
      request.on('error', reject);
    });
  const long = 'a'.repeat(5_000);
  for (const path of [
    ...[
      '/../package.json',
      '/%2e%2e/package.json',
      '/assets/%2e%2e/%2e%2e/package.json',
      '/..%5c..%5cpackage.json',
      '/..%2f..%2fetc/passwd',
    ],
    ...[
      '//etc/passwd',
      '/assets//../x',
      '/./.vite/manifest.json',
      '/%00',
      '/index.html%00',
      `/${long}`,
      `/assets/${long}.js`,
      '/%c0%ae%c0%ae/x',
    ],
  ]) {
    const [status, body] = await answerTo(path);
    expect([path.slice(0, 40), status]).toEqual([path.slice(0, 40), 404]);
    expect(JSON.parse(body)).toMatchObject({ code: 'not_found' });
  }
  await server.close();
});

test('the operator can switch the developer test pages off', async () => {
  expect((await app.inject({ url: '/test-auth', headers: html })).statusCode).toBe(200);
  const strict = await serverOf(false);
  for (const url of ['/test-auth', '/simple-test/', '/Login-Test', '/test%2Dauth', '/storage-test?x=1']) {
    expect((await strict.inject({ url, headers: html })).statusCode).toBe(404);
  }
  expect((await strict.inject({ url: '/test-project', headers: html })).statusCode).toBe(200);
  await strict.close();
});

test('R10.01 behind TLS the browser gets HSTS, and may connect to the other servers of the client', async () => {
  const { headers } = await app.inject({ url: '/', headers: html });
  expect(headers['strict-transport-security']).toContain('max-age=');
  expect(headers['content-security-policy']).toContain('https://api.example wss://api.example');
});

test('R19.01 a range or a condition that cannot be met is no server error', async () => {
  const ranges = ['bytes=-', 'bytes=-0', 'bytes=5-2', 'bytes=a-b', 'bytes=99999999-', 'bytes=0-1', `bytes=${'0-0,'.repeat(3_000)}`];
  for (const range of ranges) {
    const { statusCode, body, headers } = await app.inject({ url: '/assets/main-abc123.js', headers: { range } });
    expect([statusCode, body, headers['accept-ranges']]).toEqual([200, 'export {};', undefined]);
  }
  for (const headers of [{ 'if-match': '"other"' }, { 'if-unmodified-since': 'Thu, 01 Jan 1970 00:00:00 GMT' }]) {
    const { statusCode, body } = await app.inject({ url: '/assets/main-abc123.js', headers });
    expect([statusCode, (JSON.parse(body) as { code: string }).code]).toEqual([400, 'bad_request']);
  }
});
