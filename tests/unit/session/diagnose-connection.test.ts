import { expect, test } from 'vitest';
import { diagnoseConnection } from '../../../src/session/diagnose-connection.ts';

/** A network on which only some URLs answer. It records the requests and their signals. */
function network(answers: (url: string, method: string) => boolean) {
  const asked: string[] = [];
  const signals: (AbortSignal | null | undefined)[] = [];
  const fetcher = (async (url: string, init?: RequestInit) => {
    const method = init?.method ?? 'GET';
    asked.push(`${method} ${url}`);
    signals.push(init?.signal);
    if (!answers(url, method)) throw new TypeError('Failed to fetch');
    return new Response('', { status: 200 });
  }) as typeof fetch;
  return { asked, signals, fetcher };
}

const login = { path: '/auth/login', now: () => 0 };

test('P8.02 P7.04 a failed call is looked into by the health of its server and a preflight of its own address, each with a limit', async () => {
  const { asked, signals, fetcher } = network((_, method) => method === 'GET');
  const found = await diagnoseConnection({ ...login, apiBase: 'https://api.example/api', pageProtocol: 'https:', fetcher });
  expect(found).toEqual({ server: { healthy: true, ms: 0 }, preflight: 'failed', mixedContent: 'none' });
  expect(asked.toSorted()).toEqual(['GET https://api.example/health', 'OPTIONS https://api.example/api/auth/login']);
  for (const signal of signals) expect(signal).toBeInstanceOf(AbortSignal);
});

test('P8.02 a server over HTTP behind a page over HTTPS is tried over HTTPS', async () => {
  const page = { ...login, apiBase: 'http://api.example/api', pageProtocol: 'https:' };
  const answering = network((url) => url.startsWith('https:'));
  expect(await diagnoseConnection({ ...page, fetcher: answering.fetcher })).toMatchObject({ mixedContent: 'https-answers' });
  expect(answering.asked).toContain('GET https://api.example/health');
  expect(await diagnoseConnection({ ...page, fetcher: network(() => false).fetcher })).toEqual({
    server: { healthy: false, ms: 0 },
    preflight: 'failed',
    mixedContent: 'blocked',
  });
});

test('P8.02 a page over HTTP mixes nothing', async () => {
  const { asked, fetcher } = network(() => true);
  const found = await diagnoseConnection({ ...login, apiBase: 'http://localhost:5001/api', pageProtocol: 'http:', fetcher });
  expect(found).toEqual({ server: { healthy: true, ms: 0 }, preflight: 'passed', mixedContent: 'none' });
  expect(asked).toHaveLength(2);
});
