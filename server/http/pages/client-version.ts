import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';

/** How often the page in the folder is looked at (ms): a build may be published under a server that runs. */
const lookEveryMs = 5_000;

/**
 * Names the client's build, `X-Artel-Version`, with every answer, as the build wrote it into its page: an open page of an earlier build
 * learns by it that there is a newer one.
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
    if (performance.now() - seen.at > lookEveryMs) {
      seen = { ...seen, at: performance.now() };
      // Between two builds the page may be away for a moment: the version of before stands.
      await look().catch(() => undefined);
    }
    if (seen.version) reply.header('x-artel-version', seen.version);
  });
}

function versionIn(page: string): string {
  return /<meta name="build" content="([\w-]+)"/.exec(page)?.[1] ?? '';
}
