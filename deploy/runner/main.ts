import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chmod, lstat, mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { z } from 'zod';
import { localRunnerFile } from '../../contract/runner.ts';
import { stopWithNpm } from '../../scripts/stop-with-npm.ts';
import { plainReason } from '../../server/plain-reason.ts';
import { makeDataFolder } from '../../server/platform/files/make-data-folder.ts';
import { onStopSignal } from '../../server/platform/processes/on-stop-signal.ts';
import { DependencyCache, removeTree } from './dependency-cache.ts';
import { createRunnerServer } from './runner-server.ts';
import { readRunnerSettings } from './runner-settings.ts';
import { createSandbox } from './sandbox.ts';

const say = (line: string) => process.stdout.write(`${line}\n`);

/** `npm run runner`: executes the test commands of projects in a sandbox. docs/runner.md */
async function start(): Promise<void> {
  const settings = readRunnerSettings(process.env);
  const sandbox = createSandbox(settings, process.env);
  const cacheDir = join(settings.dataDir, 'runner-cache');
  const isTold = settings.token === null;
  await makeDataFolder(settings.dataDir);
  await mkdir(cacheDir, { recursive: true, mode: 0o700 });
  const cache = new DependencyCache(cacheDir, settings.maxCacheBytes);
  const file = join(settings.dataDir, localRunnerFile.name);
  const token = settings.token ?? (await tokenIn(file)) ?? randomBytes(32).toString('base64url');
  const prepared = Promise.withResolvers<void>();
  const { server, idle } = createRunnerServer({
    prepared: prepared.promise,
    settings,
    sandbox,
    token,
    cache,
    log: say,
  });
  server.listen(settings.port, settings.host);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  // Another runner that has the port may be at work in these folders.
  await cache.clean();
  await emptyWorkDir(settings.workDir);
  prepared.resolve();
  if (isTold) await tellServer(file, { port, token });
  let isEnding = false;
  const end = async () => {
    if (isEnding) return;
    isEnding = true;
    server.close();
    // Each job ends with its connection.
    server.closeAllConnections();
    await idle();
    await removeTree(settings.workDir);
    process.exit(0);
  };
  onStopSignal(() => void end());
  // The server that has started it beside itself is gone.
  process.once('disconnect', () => void end());
  say(
    `Artel's runner listens on http://${settings.host}:${port}. Sandbox: ${sandbox.name}. Network of test commands: ${settings.hasNetwork ? 'on' : 'off'}.`,
  );
  const registries = settings.registries.map(({ host }) => host).join(', ') || 'none';
  if (!settings.hasNetwork) say(`Install steps reach these registries (ARTEL_RUNNER_REGISTRIES): ${registries}.`);
  if (isTold) say('Open the Test tab of an Artel server of this machine, and press “Use it” («Подключить»).');
}

/** Makes the folder of the jobs, or empties what an earlier runner has left. Another user cannot have made it. */
async function emptyWorkDir(folder: string): Promise<void> {
  const found = await lstat(folder).catch(() => null);
  if (found && (!found.isDirectory() || found.uid !== process.geteuid?.())) {
    throw new Error(`${folder} is not a folder of this user: name another one in ARTEL_RUNNER_WORK_DIR.`);
  }
  await removeTree(folder);
  await mkdir(folder);
  // Users of jobs reach their own folders, and list none.
  await chmod(folder, 0o711);
}

async function tokenIn(file: string): Promise<string | null> {
  try {
    return localRunnerFile.content.parse(JSON.parse(await readFile(file, 'utf8'))).token;
  } catch {
    return null;
  }
}

/** Leaves the token where only this user reads it: a server of this machine needs no typing. */
async function tellServer(file: string, content: z.infer<typeof localRunnerFile.content>): Promise<void> {
  await writeFile(`${file}.part`, JSON.stringify(content), { mode: 0o600 });
  await rename(`${file}.part`, file);
}

stopWithNpm();
try {
  await start();
} catch (error) {
  process.stderr.write(`${plainReason(error)}\n`);
  process.exit(1);
}
