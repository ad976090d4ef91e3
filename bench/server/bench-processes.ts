import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { startServer, type TestServer } from '../../tests/support/start-server.ts';
import { type Account, openAccount } from './client/account.ts';
import { followRuns, type RunFollower } from './client/follow-runs.ts';
import { type HttpClient, httpClient } from './client/http-client.ts';
import type { Parts } from './measure/processor-use.ts';
import { type Child, startChild } from './processes/child.ts';
import type { ModelQuestion } from './processes/model-server.ts';
import type { PeerAnswer, PeerQuestion } from './processes/peers.ts';

export const root = join(import.meta.dirname, '..', '..');

/** The processes of one run of the benchmark. */
export type BenchProcesses = {
  quick: boolean;
  /** The server under load; another process after `restart`. */
  server: () => TestServer;
  client: () => HttpClient;
  models: Child<ModelQuestion, string | number>;
  peers: Child<PeerQuestion, PeerAnswer>;
  /** The processes whose processor time counts for Artel. */
  parts: () => Parts;
  /** An account whose agents ask this model, opened at first use, with a socket that follows its runs. */
  followedAccount: (model: string) => Promise<FollowedAccount>;
  /** Kills the server like a power cut and starts it again on the same data. Resolves when it is ready. */
  killAndRestart: (between: () => Promise<unknown>) => Promise<void>;
  /** A further server on a data folder of its own, with the same settings and these, ended with the bench. */
  anotherServer: (settings?: Record<string, string>) => Promise<TestServer>;
  end: () => Promise<void>;
};

export type FollowedAccount = { account: Account; follower: RunFollower };

export async function startBenchProcesses(quick: boolean): Promise<BenchProcesses> {
  const closers: (() => Promise<unknown>)[] = [];
  const end = async () => {
    for (let close = closers.pop(); close; close = closers.pop()) await close().catch((error: unknown) => console.error(error));
  };
  try {
    const models = await startChild<ModelQuestion, string | number>('model-server.ts');
    closers.push(models.end);
    const peers = await startChild<PeerQuestion, PeerAnswer>('peers.ts');
    closers.push(peers.end);
    const env: Record<string, string> = {
      OPENAI_BASE_URL: String(await models.ask({ kind: 'url' })),
      LOG_LEVEL: 'warn',
      // The repositories of the benchmark are on this machine.
      ARTEL_ALLOW_PRIVATE_MODEL_HOSTS: 'on',
      // As an operator runs it: the check of answers against their schemas belongs to tests.
      NODE_ENV: 'production',
      // One account carries the whole load.
      ...{ ARTEL_ACCOUNT_RUNS_AT_ONCE: '200', ARTEL_ACCOUNT_RUNS_STARTED: '10000' },
      ...(existsSync(join(root, 'dist', 'index.html')) ? {} : { ARTEL_CLIENT: 'off' }),
    };
    let server = await startServer({ env });
    let client = httpClient(server.url);
    const followedAccounts = new Map<string, Promise<FollowedAccount>>();
    closers.push(async () => {
      for (const { follower } of await Promise.all(followedAccounts.values())) follower.close();
      client.close();
      await server.stop();
    });

    return {
      quick,
      server: () => server,
      client: () => client,
      models,
      peers,
      parts: () => ({ server: server.pid, postgres: postgresOf(server), models: models.pid }),
      followedAccount: (model) => {
        const known = followedAccounts.get(model) ?? openFollowedAccount(client, server, model);
        followedAccounts.set(model, known);
        return known;
      },
      async killAndRestart(between) {
        await server.kill('SIGKILL');
        client.close();
        followedAccounts.clear();
        await between();
        server = await server.restart();
        client = httpClient(server.url);
      },
      async anotherServer(settings) {
        const other = await startServer({ env: { ...env, ...settings } });
        closers.push(() => other.stop());
        return other;
      },
      end,
    };
  } catch (error) {
    await end();
    throw error;
  }
}

async function openFollowedAccount(client: HttpClient, server: TestServer, model: string): Promise<FollowedAccount> {
  const account = await openAccount(client, model);
  return { account, follower: await followRuns(server.url, account.token) };
}

/** The first process of the PostgreSQL that a server runs. */
export function postgresOf({ dataDir }: TestServer): number {
  return Number.parseInt(readFileSync(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8'), 10);
}
