import { beforeEach, expect, test } from 'vitest';
import { deadAfterMs, pingEveryMs, silentAfterMs, watchEngine } from '../../../src/workers/bridge/watch-engine.ts';

type Engine = { name: string };

let heard: string[];
let engine: Engine | null;
let answers: boolean;
let tick: () => void;

beforeEach(() => {
  heard = [];
  engine = { name: 'one' };
  answers = true;
  watchEngine<Engine>({
    watched: () => engine,
    ping: () => (answers ? Promise.resolve() : new Promise(() => {})),
    onSilent: () => heard.push('silent'),
    onAnswer: () => heard.push('answers'),
    onDead: ({ name }) => {
      heard.push(`dead ${name}`);
      engine = { name: 'two' };
    },
    later: (_, task) => {
      tick = task;
      return () => {};
    },
  });
});

/** Lets this time of the page's clock pass. */
async function pass(ms: number): Promise<void> {
  for (let passed = 0; passed < ms; passed += pingEveryMs) {
    tick();
    await Promise.resolve();
    await Promise.resolve();
  }
}

test('G8.32 an engine that answers is never taken for silent', async () => {
  await pass(10 * deadAfterMs);
  expect(heard).toEqual([]);
});

test('G8.32 silence of the engine is reported once, then its end, and the next engine is watched from its beginning', async () => {
  await pass(pingEveryMs);
  answers = false;
  await pass(silentAfterMs);
  expect(heard).toEqual([]);
  await pass(pingEveryMs);
  expect(heard).toEqual(['silent']);
  await pass(deadAfterMs - silentAfterMs);
  expect(heard).toEqual(['silent', 'dead one']);
  answers = true;
  await pass(deadAfterMs);
  expect(heard).toEqual(['silent', 'dead one', 'answers']);
});

test('G8.32 a page that slept for an hour has missed its ticks: one late tick is no silence', async () => {
  await pass(pingEveryMs);
  answers = false;
  await pass(silentAfterMs - pingEveryMs);
  answers = true;
  // The page sleeps here: its next tick comes an hour late.
  await pass(deadAfterMs);
  expect(heard).toEqual([]);
});

test('G8.32 a hidden page watches nothing, and begins anew when it is shown', async () => {
  const hidden = engine;
  answers = false;
  await pass(silentAfterMs);
  engine = null;
  await pass(10 * deadAfterMs);
  engine = hidden;
  await pass(silentAfterMs);
  expect(heard).toEqual([]);
});
