import { spawn } from 'node:child_process';
import { readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startServerProcess } from '../../scripts/cluster/server-process.ts';
import { compileCache } from '../../scripts/test-run/compile-cache.ts';
import { leavePort, takePort } from './server/kept-ports.ts';
import type { RunningServer } from './server/open-test-server.ts';
import { makeServerEnvironment, type ServerOptions } from './server/server-environment.ts';
import { bundledServer } from './test-services.ts';

/** A server in a process of its own. Its `logs` are the output of the process. */
export type TestServer = RunningServer & {
  pid: number;
  /** Sends a signal and resolves with the exit code (null after a signal) once the process is gone. PostgreSQL survives a SIGKILL. */
  kill: (signal: NodeJS.Signals) => Promise<number | null>;
  /** Starts the server again on the same data folder and port. */
  restart: (env?: Record<string, string>) => Promise<TestServer>;
};

const root = join(import.meta.dirname, '..', '..');
const node = join(root, 'node_modules', '.bin', process.platform === 'win32' ? 'node.cmd' : 'node');

/**
 * Starts the real server in a separate process, and resolves when it reports that it is ready. It has an embedded PostgreSQL
 * and its own bus, unless the suite shares others.
 */
export async function startServer(options: ServerOptions = {}): Promise<TestServer> {
  const port = options.port ?? (await takePort());
  const { env, dataDir, made, remove } = await makeServerEnvironment({ ...options, port });
  const program = options.fromSources ? undefined : bundledServer;
  const server = await startServerProcess({ env: { ...compileCache, ...env }, ...(program && { program }) }).catch(async (error) => {
    await stopLeftPostgres(dataDir);
    if (made) await rm(made, { recursive: true, force: true });
    leavePort(port);
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
      await remove();
      leavePort(Number(new URL(url).port));
    },
  };
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
