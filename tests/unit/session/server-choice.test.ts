import { describe, expect, test } from 'vitest';
import { chooseServer, healthUrl, probeHealth, serverConfigs } from '../../../src/session/server-choice.ts';

const origin = 'https://artel.example';
const names = (configs: readonly { name: string }[]) => configs.map(({ name }) => name);

describe('the servers to try', () => {
  test('P4.07 the page’s own server alone, unless others are named', () => {
    expect(serverConfigs({ origin, development: false })).toEqual([{ name: 'production', apiBase: 'https://artel.example/api' }]);
  });

  test('P4.07 the named production server, then the named fallback', () => {
    const configs = serverConfigs({
      origin,
      VITE_API_PRODUCTION: 'https://api.example/api/',
      VITE_API_FALLBACK: 'https://spare.example/api',
      development: false,
    });
    expect(configs).toEqual([
      { name: 'production', apiBase: 'https://api.example/api' },
      { name: 'fallback', apiBase: 'https://spare.example/api' },
    ]);
  });

  test('P4.07 a page under development falls back to the local server on port 5001', () => {
    expect(serverConfigs({ origin, development: true }).at(-1)).toEqual({ name: 'local', apiBase: 'http://localhost:5001/api' });
  });
});

describe('choosing a server', () => {
  const two = serverConfigs({ origin, VITE_API_FALLBACK: 'https://spare.example/api', development: false });

  test('P4.07 the choice of a server takes the primary when it is healthy, and asks no other server', async () => {
    const asked: string[] = [];
    const chosen = await chooseServer(two, async ({ name }) => {
      asked.push(name);
      return true;
    });
    expect([chosen.name, asked]).toEqual(['production', ['production']]);
  });

  test('P4.07 the choice of a server falls back when the primary’s health check fails', async () => {
    expect((await chooseServer(two, async ({ name }) => name === 'fallback')).name).toBe('fallback');
  });

  test('P4.07 the choice of a server keeps the primary when both health checks fail', async () => {
    expect(names(two)).toEqual(['production', 'fallback']);
    expect((await chooseServer(two, async () => false)).name).toBe('production');
  });
});

describe('the health probe', () => {
  test('P7.04 the health probe asks the health path on the server’s origin', () => {
    expect(healthUrl('https://api.example/deep/api')).toBe('https://api.example/health');
  });

  test('P7.04 the health probe is aborted after its time limit, and never throws', async () => {
    const signals: (AbortSignal | null | undefined)[] = [];
    const refused = async (_: unknown, init?: RequestInit) => {
      signals.push(init?.signal);
      throw new TypeError('Failed to fetch');
    };
    let clock = 0;
    expect(await probeHealth('https://api.example/api', refused as typeof fetch, () => (clock += 20))).toEqual({ healthy: false, ms: 20 });
    expect(signals[0]).toBeInstanceOf(AbortSignal);
  });

  test('P7.04 a server that answers 503 is not healthy', async () => {
    const answer = async () => new Response('', { status: 503 });
    expect((await probeHealth('https://api.example/api', answer as typeof fetch, () => 0)).healthy).toBe(false);
  });
});
