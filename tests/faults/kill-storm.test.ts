import { readdirSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { amountOf, limitOf } from '../support/amounts.ts';
import { randomOf } from '../support/file-sequences.ts';
import { mendLibrary, startLibraryForge } from '../support/forges/issue-team.ts';
import { preload } from '../support/preload.ts';
import { signUp } from '../support/run-account.ts';
import { sandboxes, startRunner } from '../support/runner/start-runner.ts';
import type { ModelCall, Reply } from '../support/services/model-server.ts';
import { botToken, startTelegramServer } from '../support/services/telegram-server.ts';
import { setUp, setUpDatabase, setUpFolder, setUpModelServer } from '../support/set-up/for-vitest.ts';
import { startServer, type TestServer } from '../support/start-server.ts';
import { createChat } from '../support/storm/chat.ts';
import { createIssues } from '../support/storm/issues.ts';
import { jobsLeft, letTimePass, rowsLeft } from '../support/storm/left-behind.ts';
import { createMcpCallers } from '../support/storm/mcp-callers.ts';
import { createSchedules } from '../support/storm/schedules.ts';
import type { Source, Storm } from '../support/storm/storm.ts';
import { createWebhooks } from '../support/storm/webhooks.ts';

const kills = amountOf({ some: 3, whole: 20 });
const seed = Number(process.env.STORM_SEED) || Math.floor(Math.random() * 1_000_000);
/** The longest time between a start and a kill (ms), and at least in times of a start: a machine that starts slowly also answers slowly. */
const leastLongestMs = 5_000;
const timesStart = 1.5;
/** How long a message of Telegram and a write to the forge are under way (ms). */
const slowMs = 300;
/** What comes in between two kills. */
const begunEach = { webhooks: 4, calls: 2, questions: 1, issues: 1 };

const folder = setUpFolder();
const database = setUpDatabase();
const models = setUpModelServer();
const telegram = setUp(startTelegramServer, ({ close }) => close());
const forges = setUp(
  async () => ({ forge: await startLibraryForge('github') }),
  ({ forge }) => forge.close(),
);
const runner = setUp(
  async () => {
    await mkdir(join(folder.path, 'jobs'));
    return startRunner({ ARTEL_RUNNER_SANDBOX: sandboxes[0] ?? '', ARTEL_RUNNER_WORK_DIR: join(folder.path, 'jobs') });
  },
  ({ stop }) => stop(),
);
const temporary = () => join(folder.path, 'temporary');

async function startStormy(): Promise<TestServer> {
  await mkdir(temporary());
  return startServer({
    env: {
      ...{ ARTEL_CLIENT: 'off', ARTEL_SECRET_KEY: 'a secret of at least thirty-two characters', DATABASE_URL: database.connectionString },
      ...{ OPENAI_BASE_URL: models.url, ARTEL_ALLOW_PRIVATE_MODEL_HOSTS: 'on', TMPDIR: temporary() },
      ...{ ARTEL_RUNNER_URL: runner.url, ARTEL_RUNNER_TOKEN: runner.token, NODE_OPTIONS: preload('faults/kill-after.ts') },
      ...{ ARTEL_TELEGRAM_TOKEN: botToken, ARTEL_TELEGRAM_URL: telegram.url },
    },
  });
}

const runs = new Map<string, Set<string>>();
/** Notes which run asks about which piece of work. */
function answer(call: ModelCall, random: () => number): Reply {
  const words = JSON.stringify(call.body.messages);
  const [name] = /\b(?:ticket|instant|call|question)-\d+\b/.exec(words) ?? [];
  if (name === undefined) return mendLibrary(call);
  runs.set(name, (runs.get(name) ?? new Set()).add(String(call.headers['idempotency-key']).slice(0, 36)));
  return { kind: 'text', text: 'Done', afterMs: Math.round(random() * 1_000) };
}

/** Faults that a server has logged. */
const faultsIn = (server: TestServer) =>
  server
    .logs()
    .split('\n')
    .filter((line) => /"level":[56]0/.test(line));

/** Kills a server at a random moment, also while it starts, and starts it again. Returns it with the moment in words. */
async function killOnce(
  server: TestServer,
  random: () => number,
  sources: Source[],
  { startMs, longestMs }: { startMs: number; longestMs: number },
): Promise<{ server: TestServer; moment: string }> {
  const upMs = Math.round(random() * longestMs);
  await wait(upMs);
  await server.kill('SIGKILL');
  for (const { whileDown } of sources) await whileDown?.();
  if (random() > 1 / 3) return { server: await server.restart(), moment: `${upMs} ms after its start` };
  const early = Math.max(1, Math.round(random() * startMs));
  const again = await server.restart({ KILL_AFTER_MS: String(early) }).catch(() => null);
  // A machine that was quicker than before has started it: it is killed all the same.
  await again?.kill('SIGKILL');
  return {
    server: await server.restart({ KILL_AFTER_MS: '' }),
    moment: `${upMs} ms after its start, and ${early} ms after its first instruction`,
  };
}

test.skipIf(sandboxes.length === 0)(
  `R23.01 killed at ${kills} moments of schedules, webhooks, MCP, a forge, Telegram and a runner, a server loses nothing, does nothing twice and leaves nothing behind (needs a sandbox of the runner)`,
  async () => {
    const random = randomOf(seed);
    // One of its own: how often models are asked depends on the machine.
    const delays = randomOf(seed + 1);
    models.answer((call) => answer(call, delays));
    // Most kills meet something that was sent and whose answer is not stored.
    telegram.slowDown(slowMs);
    forges.forge.watchWrites(() => wait(slowMs / 2, true));
    const begun = performance.now();
    let server = await startStormy();
    const startMs = performance.now() - begun;
    const longestMs = Math.max(leastLongestMs, timesStart * startMs);
    try {
      const ann = await signUp(server.url);
      const storm: Storm = { ann, pool: database.pool, runsOf: (name) => runs.get(name) ?? new Set() };
      const sources = {
        webhooks: await createWebhooks(storm),
        calls: await createMcpCallers(storm),
        questions: await createChat(storm, telegram),
        issues: await createIssues(storm, forges.forge),
        schedules: await createSchedules(storm, Math.ceil(kills / 2)),
      };
      const all = Object.values(sources);
      const moments: string[] = [];
      const faults: string[] = [];
      for (let kill = 0; kill < kills; kill += 1) {
        for (const [name, count] of Object.entries(begunEach))
          for (let one = 0; one < count; one += 1) setTimeout(sources[name as keyof typeof begunEach].begin, random() * longestMs);
        const before = server;
        const killed = await killOnce(server, random, all, { startMs, longestMs });
        server = killed.server;
        faults.push(...faultsIn(before));
        moments.push(killed.moment);
        for (const { afterStart } of all) await afterStart?.();
      }
      await wait(longestMs);
      const over = performance.now();
      const problems = async () => (await Promise.all(all.map((source) => source.problems()))).flat();
      await expect.poll(problems, { timeout: limitOf(200_000), interval: 500 }).toEqual([]);
      const summaries = all.map(({ summary }) => summary()).join(', ');
      console.info(
        `Seed ${seed}. Killed ${moments.join('; ')}. ${summaries}. All was over after ${Math.round((performance.now() - over) / 1_000)} s.`,
      );

      await server.kill('SIGTERM');
      await letTimePass(storm);
      server = await server.restart();
      await expect.poll(() => rowsLeft(storm), { interval: 250 }).toEqual([]);
      expect(await problems()).toEqual([]);
      expect([...faults, ...faultsIn(server)]).toEqual([]);
      expect(jobsLeft(runner, join(folder.path, 'jobs'))).toEqual([]);
      await server.kill('SIGTERM');
      expect(readdirSync(temporary())).toEqual([]);
    } catch (error) {
      throw new Error(`Seed ${seed}: ${(error as Error).message}\n${server.logs().slice(-3_000)}`, { cause: error });
    } finally {
      await server.stop();
    }
  },
  limitOf(400_000),
);
