import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeOpenFolder } from '../../support/database/make-open-folder.ts';
import { preload } from '../../support/preload.ts';
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

test('a started server has not loaded packages that it does not use yet', async () => {
  const folder = await makeOpenFolder();
  const modules = join(folder.path, 'modules.txt');
  const server = await startServer({ fromSources: true, env: { NODE_OPTIONS: hook, ARTEL_TEST_MODULES: modules } });
  try {
    const urls = (await readFile(modules, 'utf8')).split('\n');
    const loaded = urls.map((url) => /\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(url)?.[1]);
    // The record is complete: it names what every server needs.
    expect(loaded).toEqual(expect.arrayContaining(['drizzle-orm', 'fastify', 'pg', 'zod']));
    expect(unused.filter((name) => loaded.includes(name))).toEqual([]);
    // Node links them slowly: `platform/database/drizzle.ts` loads the CommonJS modules.
    expect(urls.filter((url) => url.includes('/node_modules/drizzle-orm/') && url.endsWith('.js'))).toEqual([]);
  } finally {
    await server.stop();
    await folder.remove();
  }
});
