import { afterEach, expect, test, vi } from 'vitest';
import { failure, outcomeOf } from '../../../src/app/test-pages/outcome.ts';
import { describeTokens, readStoredTokens, tryStorage } from '../../../src/app/test-pages/stored-tokens.ts';
import { shownValue, watchCalls } from '../../../src/app/test-pages/watch-storage.ts';

class Shelf {
  readonly #kept = new Map<string, string>();
  getItem(key: string): string | null {
    return this.#kept.get(key) ?? null;
  }
  setItem(key: string, value: string): void {
    this.#kept.set(key, value);
  }
  removeItem(key: string): void {
    this.#kept.delete(key);
  }
}

const token = (payload: object) => `head.${btoa(JSON.stringify(payload))}.signature`;

afterEach(() => vi.unstubAllGlobals());

test('P2.24 shown values are cut to 50 characters, those of tokens to 8', () => {
  expect(shownValue('theme', 'dark')).toBe('dark');
  expect(shownValue('draft', 'x'.repeat(50))).toBe('x'.repeat(50));
  expect(shownValue('draft', 'x'.repeat(51))).toBe(`${'x'.repeat(50)}…`);
  expect(shownValue('accessToken', 'abcdefghijkl')).toBe('abcdefgh…');
  expect(shownValue('refreshToken', null)).toBeNull();
});

test('P2.24 each read of the watched storage is reported, and returns the same value as without the watch', () => {
  class Watched extends Shelf {}
  const prototype = { getItem: Shelf.prototype.getItem, setItem: Shelf.prototype.setItem, removeItem: Shelf.prototype.removeItem };
  Object.assign(Watched.prototype, prototype);
  const local = new Watched();
  const session = new Watched();
  const heard: unknown[] = [];
  watchCalls(
    Watched.prototype,
    (storage) => storage === local,
    (...note) => heard.push(note),
  );
  local.setItem('a', '1');
  session.setItem('a', '2');
  expect([local.getItem('a'), session.getItem('a')]).toEqual(['1', '2']);
  local.removeItem('a');
  expect(local.getItem('a')).toBeNull();
  expect(heard).toEqual([
    ['write', 'a', '1'],
    ['read', 'a', '1'],
    ['remove', 'a', null],
    ['read', 'a', null],
  ]);
});

test('P2.24 the thrown value of a test is the test’s result, as JSON', () => {
  const outcome = outcomeOf(() => {
    throw new RangeError('no room');
  });
  expect(outcome.ok).toBe(false);
  expect(JSON.parse(outcome.json)).toEqual({ error: { name: 'RangeError', message: 'no room' } });
  expect(JSON.parse(failure({ code: 'timeout' }).json)).toEqual({ error: { code: 'timeout' } });
  expect(outcomeOf(() => ({ a: 1 }))).toEqual({ ok: true, json: '{\n  "a": 1\n}' });
});

test('P2.21 the description of a stored token contains its first eight characters at most', () => {
  const now = 1_000_000;
  const good = token({ sub: 'anna', exp: 2_000 });
  expect(describeTokens(good, 'refresh-me-please', now)).toEqual({
    hasAccessToken: true,
    hasRefreshToken: true,
    accessToken: 'head.eyJ…',
    refreshToken: 'refresh-…',
    accessTokenState: 'valid',
    expiresAt: '1970-01-01T00:33:20.000Z',
  });
  const states = [null, 'no token', token({ exp: 999 })].map((stored) => describeTokens(stored, null, now).accessTokenState);
  expect(states).toEqual(['absent', 'malformed', 'expired']);
});

test('P2.23 with denied storage the tests fail with the error of the browser', () => {
  vi.stubGlobal('localStorage', new Shelf());
  expect(JSON.parse(outcomeOf(tryStorage).json)).toMatchObject({ same: true, removed: true });
  const denied = () => {
    throw new DOMException('denied', 'SecurityError');
  };
  vi.stubGlobal('localStorage', { getItem: denied, setItem: denied, removeItem: denied });
  for (const test of [tryStorage, readStoredTokens]) {
    expect(JSON.parse(outcomeOf(test).json)).toEqual({ error: { name: 'SecurityError', message: 'denied' } });
  }
});
