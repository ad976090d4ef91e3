import { spawn } from 'node:child_process';
import { readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startServerProcess } from '../../scripts/cluster/server-process.ts';
import { compileCache } from '../../scripts/test-run/compile-cache.ts';
import { copyDataFolder } from './data-folder-template.ts';
import { makeOpenFolder } from './database/make-open-folder.ts';
import { bundledServer, type FreshDatabase, makeDatabase, natsUrl, serviceVariables, shortIntervals } from './test-services.ts';

export type ServerOptions = {
  /** Settings on top of a bare environment: the server gets nothing from the environment of the tests. */
  env?: Record<string, string>;
  /** An existing data folder. By default a new one, which `stop` removes. */
  dataDir?: string;
  /** 0 (the default) lets the system choose. */
  port?: number;
  /** True starts the server's embedded database, even if the suite shares another one. */
  ownDatabase?: boolean;
  /** True starts the server's sources, as `npm run dev` does, in a data folder that it creates itself. */
  fromSources?: boolean;
};

export type TestServer = {
  /** Without a slash at the end. */
  url: string;
  dataDir: string;
  pid: number;
  /** The server's output so far. */
  logs: () => string;
  /** Sends a signal and resolves with the exit code (null after a signal) once the process is gone. PostgreSQL survives a SIGKILL. */
  kill: (signal: NodeJS.Signals) => Promise<number | null>;
  /** Starts the server again on the same data folder and port. */
  restart: (env?: Record<string, string>) => Promise<TestServer>;
  /** Stops server and PostgreSQL, and removes a data folder that was created here. */
  stop: () => Promise<void>;
};

const root = join(import.meta.dirname, '..', '..');
const node = join(root, 'node_modules', '.bin', process.platform === 'win32' ? 'node.cmd' : 'node');

/** Databases of servers on a shared external PostgreSQL, by data folder: a restarted server finds its own database. */
const external = new Map<string, FreshDatabase>();

/**
 * Starts the real server in a separate process, and resolves when it reports that it is ready. It has an embedded PostgreSQL
 * and its own bus, unless the suite shares others.
 */
export async function startServer(options: ServerOptions = {}): Promise<TestServer> {
  const made = options.dataDir === undefined ? (await makeOpenFolder()).path : null;
  const dataDir = options.dataDir ?? join(made as string, 'data');
  const services = options.ownDatabase ? {} : await sharedServices(dataDir, options.env);
  const isEmbedded = !('DATABASE_URL' in { ...services, ...options.env });
  if (made && isEmbedded && !options.fromSources) await copyDataFolder(dataDir);
  const env = {
    PATH: process.env.PATH ?? '',
    HOME: process.env.HOME ?? '',
    TMPDIR: tmpdir(),
    PORT: String(options.port ?? 0),
    DATA_DIR: dataDir,
    LOG_LEVEL: 'info',
    // An answer that does not match its schema fails its test.
    NODE_ENV: 'test',
    ...compileCache,
    // Waiting calls do not delay the end of a test.
    ARTEL_DRAIN_SECONDS: '1',
    ARTEL_SIMULATED_ANSWER_MS: '500',
    // What runs on this machine beside the tests is nothing to them.
    ARTEL_LOCAL_MODELS: 'off',
    [serviceVariables.intervals]: shortIntervals,
    ...services,
    ...options.env,
  };
  const program = options.fromSources ? undefined : bundledServer;
  const server = await startServerProcess({ env, ...(program && { program }) }).catch(async (error) => {
    await stopLeftPostgres(dataDir);
    if (made) await rm(made, { recursive: true, force: true });
    throw error;
  });
  const { url, pid, logs, kill } = server;
  return {
    ...{ url, dataDir, pid, logs, kill },
    restart: async (env) => {
      if (server.running()) await kill('SIGTERM');
      const next = await startServer({ ...options, port: Number(new URL(url).port), dataDir, env: { ...options.env, ...env } });
      return made === null ? next : { ...next, stop: () => next.stop().then(() => rm(made, { recursive: true, force: true })) };
    },
    stop: async () => {
      if (server.running()) await kill('SIGTERM');
      await stopLeftPostgres(dataDir);
      await external.get(dataDir)?.remove();
      external.delete(dataDir);
      if (made) await rm(made, { recursive: true, force: true });
    },
  };
}

async function sharedServices(dataDir: string, given: Record<string, string> = {}): Promise<Record<string, string>> {
  const bus: Record<string, string> = natsUrl === null ? {} : { NATS_URL: natsUrl };
  if (given.DATABASE_URL !== undefined) return bus;
  const database = external.get(dataDir) ?? (await makeDatabase());
  if (database === null) return bus;
  external.set(dataDir, database);
  return { ...bus, DATABASE_URL: database.url, ARTEL_SECRET_KEY: 'a secret that all tests of the suite share' };
}

/** Starts a server that refuses to start; returns its exit code and output. */
export async function startServerThatExits(env: Record<string, string>): Promise<{ code: number | null; output: string }> {
  const child = spawn(node, [bundledServer ?? join(root, 'server', 'main.ts')], {
    cwd: root,
    env: { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '', ...compileCache, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (output += String(text)));
  const code = await new Promise<number | null>((resolve) => child.once('close', (exit) => resolve(exit)));
  return { code, output };
}

/** Stops the PostgreSQL of a killed server. It still runs, and the data folder cannot be removed under it. */
async function stopLeftPostgres(dataDir: string): Promise<void> {
  const pidFile = await readFile(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8').catch(() => '');
  const [firstLine, , , , socketFolder = ''] = pidFile.split('\n').map((line) => line.trim());
  const pid = Number(firstLine);
  if (!pid) return;
  try {
    process.kill(pid, 'SIGQUIT');
    for (let waited = 0; waited < 5_000; waited += 20) {
      process.kill(pid, 0);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  } catch {
    // The process is gone.
  }
  if (socketFolder.startsWith(join(tmpdir(), 'artel-pg-'))) await rm(socketFolder, { recursive: true, force: true });
}
