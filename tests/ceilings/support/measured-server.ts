import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import pg from 'pg';
import { compileCache } from '../../../scripts/test-run/compile-cache.ts';
import { makeOpenFolder } from '../../support/database/make-open-folder.ts';
import { bundledServer, makeDatabase } from '../../support/test-services.ts';
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

/** Starts the bundled server with the probes before it, on a database of its own. It runs as an operator runs it, without checks of answers. */
export async function startMeasuredServer(settings: Record<string, string>): Promise<MeasuredServer> {
  const folder = await makeOpenFolder();
  const own = await makeDatabase();
  if (own === null || bundledServer === undefined) throw new Error('The suite has set up no PostgreSQL or no server.');
  const env = {
    ...{ PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '', ...compileCache },
    ...{ PORT: '0', DATA_DIR: join(folder.path, 'data'), LOG_LEVEL: 'warn', NODE_ENV: 'production', DATABASE_URL: own.url },
    ...{ ARTEL_SECRET_KEY: 'a secret of at least thirty-two characters', ARTEL_CLIENT: 'off', ARTEL_LOCAL_MODELS: 'off' },
    ...{ ARTEL_DRAIN_SECONDS: '1', ...settings },
  };
  const child = spawn(node, [...heapOptions, '--import', probe, bundledServer], {
    ...{ cwd: root, env, stdio: ['ignore', 'pipe', 'pipe', 'ipc'] },
  });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const url = await addressOf(child, ended);
  const database = new pg.Pool({ connectionString: own.url, max: 2 });
  return {
    ...{ url, database, ask: createAsk(child) },
    async stop() {
      child.kill('SIGTERM');
      await ended;
      await database.end();
      await own.remove();
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
