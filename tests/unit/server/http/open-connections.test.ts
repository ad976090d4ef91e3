import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createOpenConnections, type OpenConnection } from '../../../../server/http/limits/open-connections.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** A registry of connections of which these sessions are open, and the messages to each connection. */
function registry(open: string[]) {
  const asked: (readonly string[])[] = [];
  const connections = createOpenConnections({
    maxPerAccount: 2,
    maxPerKey: 1,
    openSessions: async (ids) => {
      asked.push(ids);
      return new Set(open);
    },
    now: Date.now,
  });
  const add = (sessionId: string, goodForMs = 3_600_000) => {
    const told: string[] = [];
    const connection: OpenConnection = {
      ...{ userId: 'u', sessionId, goodUntil: Date.now() + goodForMs },
      ...{ heartbeat: () => told.push('heartbeat'), end: () => told.push('end'), leave: () => told.push('leave') },
    };
    return { told, connection, remove: connections.add(connection) };
  };
  return { connections, add, asked };
}

test('W7.08 each connection gets a heartbeat every ten seconds, not all at the same moment', async () => {
  const { connections, add, asked } = registry(['s']);
  const all = Array.from({ length: 20 }, () => add('s'));
  await vi.advanceTimersByTimeAsync(1_000);
  expect(all.filter(({ told }) => told.length === 1)).toHaveLength(2);
  await vi.advanceTimersByTimeAsync(9_000);
  expect(all.map(({ told }) => told)).toEqual(all.map(() => ['heartbeat']));
  expect(asked).toEqual(Array.from({ length: 10 }, () => ['s']));
  connections.close();
  expect(all.every(({ told }) => told.at(-1) === 'leave')).toBe(true);
});

test('W7.08 a connection is closed once its session has ended or its token has expired, and stays open while that is unknown', async () => {
  const { connections, add } = registry(['alive']);
  const [alive, ended, expired] = [add('alive'), add('ended'), add('alive', 4_500)];
  await vi.advanceTimersByTimeAsync(4_000);
  expect(expired.told).not.toContain('end');
  await vi.advanceTimersByTimeAsync(1_000);
  expect(expired.told.at(-1)).toBe('end');
  expired.remove();
  await vi.advanceTimersByTimeAsync(15_000);
  expect(alive.told).not.toContain('end');
  expect(ended.told.at(-1)).toBe('end');
  connections.close();

  const unknown = createOpenConnections({
    maxPerAccount: 2,
    maxPerKey: 1,
    openSessions: () => Promise.reject(new Error('away')),
    now: Date.now,
  });
  const end = vi.fn();
  unknown.add({ userId: 'u', sessionId: 's', goodUntil: Date.now() + 60_000, heartbeat: () => {}, end, leave: () => {} });
  await vi.advanceTimersByTimeAsync(20_000);
  expect(end).not.toHaveBeenCalled();
  unknown.close();
});

test('W7.08 the end of a session closes at once the open connections whose newest token is of that session', () => {
  const { connections, add } = registry([]);
  const [one, other, gone] = [add('first'), add('first'), add('first')];
  gone.remove();
  connections.replaceToken(other.connection, { sessionId: 'second', goodUntil: Date.now() });
  connections.replaceToken(gone.connection, { sessionId: 'second', goodUntil: Date.now() });
  connections.endSession('first');
  expect([one.told, other.told, gone.told]).toEqual([['end'], [], []]);
  connections.endSession('second');
  expect([other.told, gone.told]).toEqual([['end'], []]);
  connections.close();
});

test('W7.08 an account cannot open more connections than its limit', () => {
  const { connections, add } = registry(['s']);
  const user = { id: 'u', sessionId: 's' };
  const first = add('s');
  connections.checkLimits(user);
  add('s');
  expect(() => connections.checkLimits(user)).toThrow(expect.objectContaining({ code: 'too_many_requests' }));
  connections.checkLimits({ ...user, id: 'another' });
  first.remove();
  first.remove();
  connections.checkLimits(user);
  add('s');
  expect(() => connections.checkLimits(user)).toThrow();
  connections.close();
});

test('K5.06 an API key holds a share of the connections of its account', () => {
  const { connections, add } = registry(['s', 'k']);
  const key = { id: 'k', name: 'Desk', projectId: null, scopes: [], hasBudget: false, address: '' };
  const caller = { id: 'u', sessionId: 'k', key };
  connections.checkLimits(caller);
  const held = add('k');
  expect(() => connections.checkLimits(caller)).toThrow(expect.objectContaining({ code: 'too_many_requests' }));
  connections.checkLimits({ id: 'u', sessionId: 's' });
  held.remove();
  connections.checkLimits(caller);
  connections.close();
});
