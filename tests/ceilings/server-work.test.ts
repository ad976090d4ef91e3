import { describe, expect, test } from 'vitest';
import { setUp, setUpModelServer } from '../support/set-up/for-vitest.ts';
import { exceeded } from './ceilings.ts';
import { statementsOf } from './statements.ts';
import { blocksOfLargePlan } from './support/large-team.ts';
import { allocatedBy, heldBy, sentFor, sentWithin } from './support/measure-work.ts';
import { startMeasuredServer } from './support/measured-server.ts';
import { nameStatements } from './support/name-statements.ts';
import { openWork, waitingTask } from './support/open-work.ts';
import { countForHooksAndTriggers } from './support/own-looks.ts';
import { costOfStepStatement, countFromHere } from './support/step-statement.ts';

const models = setUpModelServer(({ body }) =>
  JSON.stringify(body.messages).includes(waitingTask) ? { kind: 'hang' } : { kind: 'text', text: 'A short answer.' },
);
const server = setUp(
  () =>
    startMeasuredServer({
      ...{ OPENAI_BASE_URL: models.url, ARTEL_ALLOW_PRIVATE_MODEL_HOSTS: 'on' },
      ...{ ARTEL_ACCOUNT_RUNS_AT_ONCE: '1000', ARTEL_CALLS_PER_KEY: '1000' },
    }),
  ({ stop }) => stop(),
);
const work = setUp(() => openWork(server));

/** Most watches of a server look once in this time. The tests wait for it, since the watches go by the clock (ms). */
const windowMs = 5_000;
/** Pieces of work that are measured together, and those before, after which nothing is loaded or made for the first time. */
const pieces = 10;
const warmUp = { run: 20, other: 3 };
/** The steps of a run that are followed by another one. */
const middleSteps = 4;
const waitingRuns = 400;
const startsAtOnce = 16;
const largeRuns = 2;

describe('a server without hooks, triggers, chats and schedules', () => {
  test('sends nothing for hooks and triggers while ten runs end', async () => {
    await carryOut('run', warmUp.run);
    const sent = await sentWithin(server, windowMs, () => carryOut('run', pieces));
    expect(exceeded({ 'statements for hooks and triggers': countForHooksAndTriggers(sent) })).toEqual([]);
  });

  test('sends few statements while it is idle', async () => {
    const sent = await sentWithin(server, windowMs);
    expect(exceeded({ 'statements of an idle server': sent.flatMap(({ texts }) => texts).length })).toEqual([]);
  });
});

describe('statements that are sent, and schemas and streams that are made', () => {
  test.each(['run', 'command', 'save', 'answer', 'webhook', 'fire'] as const)('for a piece of work: %s', async (kind) => {
    // The first test has warmed up the server.
    await carryOut(kind, warmUp.other);
    const { sent, made } = await sentFor(server, work, kind, pieces);
    const { statements, roundTrips } = nameStatements(sent, pieces);
    expect.soft(statements).toEqual(statementsOf[kind]);
    expect.soft(exceeded({ [`round trips, ${kind}`]: roundTrips })).toEqual([]);
    const schemas = made.schemas / pieces;
    const isEvent = kind === 'webhook' || kind === 'fire';
    expect.soft(exceeded({ [isEvent ? 'schemas for an event' : 'schemas']: schemas, 'web streams': made.streams })).toEqual([]);
  });

  test('a step in the middle of a run: values, blocks and write-ahead log', async () => {
    await countFromHere(server);
    const { sent } = await sentFor(server, work, 'run', pieces);
    const { values, blocks, wal } = await costOfStepStatement(server, sent, pieces * middleSteps);
    expect(exceeded({ 'values of a step': values, 'blocks of a step': blocks, 'write-ahead log of a step': wal })).toEqual([]);
  });

  test('the plan of a released team with 100 agents: blocks', async () => {
    expect(exceeded({ 'blocks of an agent': await blocksOfLargePlan(server, work.account, waitingTask) })).toEqual([]);
  });
});

describe('memory', () => {
  test.each([
    ['run', 3],
    ['graph', 1],
    ['command', 10],
    ['save', 10],
    ['answer', 3],
    ['webhook', 3],
    ['fire', 2],
  ] as const)('allocated by a piece of work: %s', async (kind, count) => {
    expect(exceeded({ [kind]: await allocatedBy(server, work, kind, count) })).toEqual([]);
  });

  test('held by runs that wait for their models', async () => {
    const held = await heldBy(server, async () => {
      const known = models.calls.length;
      const start = async () => {
        for (let run = 0; run < waitingRuns / startsAtOnce; run += 1) await work.startWaiting();
      };
      await Promise.all(Array.from({ length: startsAtOnce }, start));
      await models.call(known + waitingRuns);
    });
    models.release('A late answer.');
    await work.allEnded();
    expect(exceeded({ 'a run that waits for its model': held / waitingRuns / 1_000 })).toEqual([]);
  });

  test('held by runs of 10,000 steps', async () => {
    const start = await work.makeLarge();
    // A connection keeps its last statement until it sends another: small runs replace those of the large ones.
    const replaceLast = async () => {
      await Promise.all((await work.prepare.run(startsAtOnce)).map((one) => one()));
    };
    await replaceLast();
    const held = await heldBy(server, async () => {
      for (let run = 0; run < largeRuns; run += 1) {
        const known = models.calls.length;
        await start();
        await models.call(known + 1);
      }
      await replaceLast();
    });
    expect(exceeded({ 'a run of 10,000 steps': held / largeRuns / 1_000_000 })).toEqual([]);
  });
});

async function carryOut(kind: Parameters<typeof sentFor>[2], count: number): Promise<void> {
  for (const piece of await work.prepare[kind](count)) await piece();
}
