import { describe, expect, test } from 'vitest';
import { isOutage, retryOnOutage } from '../../../../server/platform/database/retry-on-outage.ts';

const withCode = (code: string) => Object.assign(new Error('query failed'), { code });
const open = new AbortController().signal;

describe('work on a database that may be away', () => {
  test('R23.01 work on a database is retried until the database is back', async () => {
    let tries = 0;
    const answer = await retryOnOutage(async () => {
      tries += 1;
      if (tries < 3) throw new Error('Failed query', { cause: withCode('57P03') });
      return 'done';
    }, open);
    expect([answer, tries]).toEqual(['done', 3]);
  });

  test('R23.01 work on a database is not retried when the query itself is wrong', async () => {
    let tries = 0;
    const work = () => {
      tries += 1;
      return Promise.reject(withCode('23505'));
    };
    await expect(retryOnOutage(work, open)).rejects.toThrow('query failed');
    expect(tries).toBe(1);
  });

  test('R23.01 work on a database is no longer retried when the server is closing', async () => {
    const closing = new AbortController();
    const work = () => {
      closing.abort();
      return Promise.reject(withCode('ECONNREFUSED'));
    };
    await expect(retryOnOutage(work, closing.signal)).rejects.toThrow('query failed');
  });
});

test.each(['08006', '53100', '53300', '57P01', '57P03', '40001', '40P01', 'ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ENOENT'])(
  'R23.01 %s is an outage',
  (code) => {
    expect(isOutage(new Error('outside', { cause: withCode(code) }))).toBe(true);
  },
);

test.each(['23505', '42P01', '22P02', '23503'])('R23.01 %s is not an outage', (code) => {
  expect(isOutage(withCode(code))).toBe(false);
});
