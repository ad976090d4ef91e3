import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';

/** How often the folder's page is checked (ms): a new build may be published while the server runs. */
const readIntervalMs = 5_000;

/**
 * Sends the version of the client's build, `X-Artel-Version`, with every answer, as written in its page. An open page of an earlier build
 * detects by it that a newer one exists.
 */
export async function nameClientVersion(app: FastifyInstance, folder: string): Promise<void> {
  const page = join(folder, 'index.html');
  let seen = { version: '', modified: 0, at: 0 };
  const look = async () => {
    const at = performance.now();
    const { mtimeMs } = await stat(page);
    const version = mtimeMs === seen.modified ? seen.version : versionIn(await readFile(page, 'utf8'));
    seen = { version, modified: mtimeMs, at };
  };
  await look();
  app.addHook('onRequest', async (_request, reply) => {
    if (performance.now() - seen.at > readIntervalMs) {
      seen = { ...seen, at: performance.now() };
      // Between two builds the page may be missing for a moment: the previous version stays.
      await look().catch(() => undefined);
    }
    if (seen.version) reply.header('x-artel-version', seen.version);
  });
}

function versionIn(page: string): string {
  return /<meta name="build" content="([\w-]+)"/.exec(page)?.[1] ?? '';
}
