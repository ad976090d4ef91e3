import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createEgress } from '../../../server/platform/egress/egress.ts';
import { createHttpRunner } from '../../../server/platform/runner/http-runner.ts';
import type { RunnerEnd, RunnerJob } from '../../../server/platform/runner/runner.ts';

/** The sandboxes that this machine has. Only root can start the one of containers, and only Linux has any. */
export const sandboxes = (['bubblewrap', 'container'] as const).filter((name) =>
  name === 'bubblewrap'
    ? spawnSync('bwrap', ['--unshare-all', '--ro-bind', '/', '/', 'true']).status === 0
    : process.getuid?.() === 0 &&
      spawnSync('unshare', ['--net', '--mount', '--pid', '--fork', 'ip', 'link', 'set', 'lo', 'up']).status === 0,
);

export type RunnerProcess = Awaited<ReturnType<typeof startRunner>>;

/**
 * The runner of this repository as a process, with a data folder of its own, and the server's client of it. Another program of Node can be
 * started in its place, by its command and its folder.
 */
export async function startRunner(settings: Record<string, string> = {}, program: { command?: string[]; cwd?: string } = {}) {
  const dataDir = settings.DATA_DIR ?? mkdtempSync(join(tmpdir(), 'artel-runner-data-'));
  const port = await freePort();
  const { command = ['node', 'deploy/runner/main.ts'], cwd } = program;
  const child = spawn(process.execPath, command.slice(1), {
    ...(cwd !== undefined && { cwd }),
    env: {
      ...{ PATH: process.env.PATH ?? '', SECRET_OF_OPERATOR: 'never seen', DATA_DIR: dataDir, ARTEL_RUNNER_PORT: String(port) },
      ...settings,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  const exited = new Promise<number | null>((done) => child.once('close', done));
  const listening = new Promise<void>((done) => child.stdout.on('data', () => output.includes('listens on') && done()));
  const code = await Promise.race([listening, exited]);
  const token = code === undefined ? (JSON.parse(readFileSync(join(dataDir, 'runner.json'), 'utf8')) as { token: string }).token : '';
  const url = `http://127.0.0.1:${port}/jobs`;
  const client = createHttpRunner({ url, token, egress: createEgress({ allowPrivate: true, proxies: null, idleTimeoutMs: 60_000 }) });
  return {
    ...{ url, token, dataDir, pid: child.pid ?? 0, exited },
    isRunning: code === undefined,
    output: () => output,
    /** Executes a command as the server does. */
    execute: async (job: TestJob): Promise<RunnerEnd & { log: string }> => {
      let log = '';
      const {
        command,
        archive,
        base,
        seconds = 60,
        project = null,
        hosts = [],
        install = 'manifest',
        signal = new AbortController().signal,
        onLog = () => {},
      } = job;
      const end = await client.execute(
        { id: 'run/step', command, archive, ...(base && { base }), seconds, project, hosts, install },
        {
          signal,
          onLog: (text) => {
            log += text;
            onLog(log);
          },
        },
      );
      return { ...end, log };
    },
    stop: async () => {
      child.kill('SIGTERM');
      await exited;
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

type TestJob = {
  command: string;
  archive: Uint8Array;
  base?: RunnerJob['base'];
  seconds?: number;
  project?: string | null;
  hosts?: string[];
  install?: RunnerJob['install'];
  signal?: AbortSignal;
  onLog?: (log: string) => void;
};

async function freePort(): Promise<number> {
  const { createServer } = await import('node:net');
  const server = createServer();
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const address = server.address();
  await new Promise((done) => server.close(done));
  return typeof address === 'object' && address ? address.port : 0;
}
