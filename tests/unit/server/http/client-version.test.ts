import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Fastify from 'fastify';
import { expect, test } from 'vitest';
import { nameClientVersion } from '../../../../server/http/pages/client-version.ts';

/** Starts a server on a client with this page, and resolves with the version header of its answers. */
async function namedVersion(page: string, status = 200): Promise<unknown> {
  const folder = await mkdtemp(join(tmpdir(), 'artel version '));
  await writeFile(join(folder, 'index.html'), page);
  const app = Fastify();
  await nameClientVersion(app, folder);
  app.get('/', (_request, reply) => reply.status(status).send('answer'));
  const { headers } = await app.inject('/');
  await app.close();
  await rm(folder, { recursive: true });
  return headers['x-artel-version'];
}

test('every answer names the build of the client that the server has, also an answer that refuses', async () => {
  const page = '<head><meta name="build" content="k3-_Zq" /></head>';
  expect(await namedVersion(page)).toBe('k3-_Zq');
  expect(await namedVersion(page, 404)).toBe('k3-_Zq');
});

test('a client that names no build gets no header', async () => {
  expect(await namedVersion('<title>Artel</title>')).toBeUndefined();
});
