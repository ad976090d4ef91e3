import { readFileSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import type { Health } from '../../../contract/health.ts';
import { openApiDocument } from '../../../server/http/openapi/openapi-document.ts';
import { makeOpenFolder } from '../../support/database/make-open-folder.ts';
import { preload } from '../../support/preload.ts';
import type { ServerOptions } from '../../support/server/server-environment.ts';
import { startServer } from '../../support/start-server.ts';

const hook = preload('record-modules.ts');

/** Packages for which a server without work, a mail server, a cluster and traces has no use. */
const unused = [
  ...[
    '@modelcontextprotocol/client',
    '@modelcontextprotocol/server',
    '@nats-io/transport-node',
    '@opentelemetry/sdk-trace',
    '@scalar/fastify-api-reference',
    'ajv',
    'fflate',
    'html-to-text',
  ],
  ...['@ai-sdk/anthropic', '@ai-sdk/google', '@ai-sdk/openai', '@ai-sdk/openai-compatible', '@ai-sdk/provider-utils'],
  ...['chardet', 'iconv-lite', 'image-size', 'mammoth', 'nodemailer', 'pg-copy-streams', 'tldts', 'unpdf', 'yazl'],
];

/** Of the bundle (63 files, 6,776 KiB): its own files, PostgreSQL's client with its packages, argon2, the place of the embedded database. */
const ceilings = { files: 80, kibibytes: 7_500 };

test('a started server has not loaded packages that it does not use yet', async () => {
  const urls = await modulesOfStart({ fromSources: true });
  const loaded = urls.map((url) => /\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(url)?.[1]);
  // The record is complete: it names what every server needs.
  expect(loaded).toEqual(expect.arrayContaining(['drizzle-orm', 'fastify', 'pg', 'zod']));
  expect(unused.filter((name) => loaded.includes(name))).toEqual([]);
  // Node links them slowly: `platform/database/drizzle.ts` loads the CommonJS modules.
  expect(urls.filter((url) => url.includes('/node_modules/drizzle-orm/') && url.endsWith('.js'))).toEqual([]);
});

test('a server starts from a bundle of few files, and reads none of the sources', async () => {
  const urls = await modulesOfStart({});
  const files = [...new Set(urls.filter((url) => url.startsWith('file:')).map((url) => fileURLToPath(url)))];
  expect(files.some((file) => file.endsWith('program.js'))).toBe(true);
  expect(files.filter((file) => file.endsWith('.ts'))).toEqual([]);
  expect(files.length).toBeLessThanOrEqual(ceilings.files);
  const bytes = files.reduce((sum, file) => sum + statSync(file).size, 0);
  expect(Math.round(bytes / 1_024)).toBeLessThanOrEqual(ceilings.kibibytes);
});

test('a built server reads the description of the API, which is that of the sources, and makes no example of a call', async () => {
  let description = '';
  let version = '';
  const urls = await modulesOfStart({}, async (url) => {
    ({ version } = (await (await fetch(`${url}/health`)).json()) as Health);
    description = await (await fetch(`${url}/api/openapi.json`)).text();
  });
  expect(description).toBe(JSON.stringify(openApiDocument(version)));
  const files = urls.filter((url) => url.startsWith('file:')).map((url) => fileURLToPath(url));
  // A bundle names the source of each part.
  const holding = (source: string) => files.filter((file) => readFileSync(file, 'utf8').includes(`\n// ${source}`));
  expect(holding('server/http/openapi/openapi-document.ts')).toHaveLength(1);
  expect(holding('contract/operations/')).toEqual([]);
});

/** The URLs of the modules that a server has loaded when it is ready, and then by `use`. */
async function modulesOfStart(options: ServerOptions, use = async (_url: string) => {}): Promise<string[]> {
  const folder = await makeOpenFolder();
  const modules = join(folder.path, 'modules.txt');
  const server = await startServer({ ...options, env: { NODE_OPTIONS: hook, ARTEL_TEST_MODULES: modules } });
  try {
    await use(server.url);
    return (await readFile(modules, 'utf8')).split('\n');
  } finally {
    await server.stop();
    await folder.remove();
  }
}
