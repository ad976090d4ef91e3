import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ExecutionEvent } from '../../../contract/executions/execution-event.ts';
import { findNats, type LocalNats, startLocalNats } from '../../../scripts/cluster/local-nats.ts';
import type { Bus, BusMessage } from '../../../server/platform/bus/bus.ts';
import { createInProcessBus } from '../../../server/platform/bus/in-process-bus.ts';
import { connectNatsBus } from '../../../server/platform/bus/nats-bus.ts';

const message = (version: number): BusMessage => ({ type: 'canvas_updated', projectId: 'p', version, origin: null });

const update = (type: ExecutionEvent['type'], seq: number): BusMessage => {
  const about = { projectId: 'p', pipelineId: 'l', executionId: 'e', seq, status: 'running' } as const;
  const state = { pauseRequested: false, progress: 0, step: null, text: null, error: null };
  return { type: 'pipeline_update', ...about, event: { ...about, ...state, type, at: '2026-01-01T00:00:00Z' } };
};

/** The tests of every bus: `one` and `other` are the ends of two servers, or the same end. */
function describeBus(name: string, ends: () => { one: Bus; other: Bus }) {
  describe(name, () => {
    test('W7.08 the bus carries a user’s messages in order to all subscribers of that user, and to no others', async () => {
      const { one, other } = ends();
      const heard: { who: string; message: BusMessage }[] = [];
      const stops = [
        one.subscribe('ann', (said) => heard.push({ who: 'one', message: said })),
        other.subscribe('ann', (said) => heard.push({ who: 'other', message: said })),
        other.subscribe('bob', (said) => heard.push({ who: 'bob', message: said })),
      ];
      // A new subscription takes time to reach the bus: the first message is repeated until it arrives.
      const say = () => {
        one.publish('ann', message(0));
        return new Set(heard.map(({ who }) => who)).size;
      };
      await expect.poll(say).toBe(2);
      for (let version = 1; version <= 50; version += 1) one.publish('ann', message(version));
      const of = (who: string) =>
        heard.filter((entry) => entry.who === who && entry.message.type === 'canvas_updated').map((entry) => entry.message);
      await expect.poll(() => of('other').at(-1)).toEqual(message(50));
      await expect.poll(() => of('one').at(-1)).toEqual(message(50));
      expect(of('other').slice(-50)).toEqual(Array.from({ length: 50 }, (_, index) => message(index + 1)));
      expect(of('bob')).toEqual([]);
      for (const stop of stops) stop();
    });

    test('W7.08 the bus sends nothing more to a subscriber that has left', async () => {
      const { one } = ends();
      const gone: BusMessage[] = [];
      const here: BusMessage[] = [];
      const stop = one.subscribe('ann', (said) => gone.push(said));
      one.subscribe('ann', (said) => here.push(said));
      stop();
      stop();
      const say = () => {
        one.publish('ann', message(1));
        return here.length;
      };
      await expect.poll(say).toBeGreaterThan(0);
      expect(gone).toEqual([]);
    });

    test('W7.08 a server hears the events that it publishes itself, of all users, once each and only of the types that it has asked for', async () => {
      const { one, other } = ends();
      const [own, ofOther]: number[][] = [[], []];
      one.onEvent(['step.completed', 'step.failed'], ({ seq }) => own?.push(seq));
      if (one !== other) other.onEvent(['step.completed'], ({ seq }) => ofOther?.push(seq));
      const arrived: BusMessage[] = [];
      const stop = other.subscribe('ann', (said) => arrived.push(said));
      const say = () => {
        one.publish('ann', message(1));
        return arrived.length;
      };
      await expect.poll(say).toBeGreaterThan(0);
      one.publish('ann', update('step.completed', 1));
      one.publish('bob', update('step.failed', 2));
      one.publish('ann', update('step.started', 3));
      expect(own).toEqual([1, 2]);
      await expect.poll(() => arrived.at(-1)).toMatchObject({ seq: 3 });
      expect(ofOther).toEqual([]);
      stop();
    });
  });
}

const alone = createInProcessBus();
describeBus('the bus of one process', () => ({ one: alone, other: alone }));

describe.runIf(findNats() !== null)('with a NATS server (needs the program nats-server)', () => {
  let nats: LocalNats;
  let one: Bus;
  let other: Bus;

  beforeAll(async () => {
    nats = await startLocalNats();
    one = await connectNatsBus(nats.url, () => {});
    other = await connectNatsBus(nats.url, () => {});
  });
  afterAll(async () => {
    await Promise.all([one?.close(), other?.close()]);
    await nats?.stop();
  });

  describeBus('the bus of two servers', () => ({ one, other }));

  test('R22.01 the bus names its own kind', () => {
    expect(one.state()).toEqual({ mode: 'nats', connected: true });
    expect(alone.state()).toEqual({ mode: 'embedded', connected: true });
  });
});
