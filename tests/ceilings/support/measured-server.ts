import { type ChildProcess, spawn } from 'node:child_process';
import { appendFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { compileCache } from '../../../scripts/test-run/compile-cache.ts';
import { copyDataFolder } from '../../support/data-folder-template.ts';
import { embeddedAddress } from '../../support/database/embedded-address.ts';
import { makeOpenFolder } from '../../support/database/make-open-folder.ts';
import { bundledServer } from '../../support/test-services.ts';
import type { Questions } from '../probes/answer-tests.ts';
import { heapOptions, node } from './run-measure.ts';

export type MeasuredServer = {
  url: string;
  /** The server's database. What a test asks of it costs the server nothing. */
  database: pg.Pool;
  /** Asks the server what it has allocated, sent and made. */
  ask: <K extends keyof Questions>(question: K) => Promise<Questions[K]>;
  stop: () => Promise<void>;
};

const root = join(import.meta.dirname, '../../..');
const probe = join(import.meta.dirname, '../probes/answer-tests.ts');

/** PostgreSQL counts what each statement costs, and does nothing by its own clocks that would add to it. */
const databaseSettings = [
  "shared_preload_libraries = 'pg_stat_statements'",
  ...['autovacuum = off', 'full_page_writes = off', "checkpoint_timeout = '1h'", "max_wal_size = '4GB'", 'fsync = off'],
];

/** Starts the bundled server with the probes before it, with its embedded database. It runs as an operator runs it, without checks of answers. */
export async function startMeasuredServer(settings: Record<string, string>): Promise<MeasuredServer> {
  const folder = await makeOpenFolder();
  if (bundledServer === undefined) throw new Error('The suite has bundled no server.');
  const dataDir = join(folder.path, 'data');
  await copyDataFolder(dataDir);
  await appendFile(join(dataDir, 'postgres', 'postgresql.auto.conf'), databaseSettings.join('\n'));
  const env = {
    ...{ PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '', ...compileCache },
    ...{ PORT: '0', DATA_DIR: dataDir, LOG_LEVEL: 'warn', NODE_ENV: 'production' },
    ...{ ARTEL_CLIENT: 'off', ARTEL_LOCAL_MODELS: 'off' },
    ...{ ARTEL_DRAIN_SECONDS: '1', ...settings },
  };
  const child = spawn(node, [...heapOptions, '--import', probe, bundledServer], {
    ...{ cwd: root, env, stdio: ['ignore', 'pipe', 'pipe', 'ipc'] },
  });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const url = await addressOf(child, ended);
  const database = new pg.Pool({ connectionString: await embeddedAddress(dataDir), max: 2 });
  return {
    ...{ url, database, ask: createAsk(child) },
    async stop() {
      await database.end();
      child.kill('SIGTERM');
      await ended;
      await folder.remove();
    },
  };
}

function addressOf(child: ChildProcess, ended: Promise<void>): Promise<string> {
  return new Promise((resolve, reject) => {
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (text) => {
        output += text;
        const address = /^Artel is ready at (http\S+)$/m.exec(output)?.[1];
        if (address) resolve(address.replace('//localhost', '//127.0.0.1'));
      });
    void ended.then(() => reject(new Error(`The server has ended. It printed:\n${output}`)));
  });
}

function createAsk(child: ChildProcess): MeasuredServer['ask'] {
  const open = new Map<number, (answer: never) => void>();
  let asked = 0;
  child.on('message', ({ id, answer }: { id: number; answer: never }) => {
    open.get(id)?.(answer);
    open.delete(id);
  });
  return (question) =>
    new Promise((resolve) => {
      asked += 1;
      open.set(asked, resolve as (answer: never) => void);
      child.send({ id: asked, question });
    });
}
