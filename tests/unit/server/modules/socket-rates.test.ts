import { expect, test } from 'vitest';
import { createAccountSockets } from '../../../../server/modules/realtime/account-sockets.ts';
import { socketLimits } from '../../../../server/modules/realtime/socket-limits.ts';
import { createTokenBucket } from '../../../../server/modules/realtime/token-bucket.ts';

test('W7.08 a token bucket allows a burst and then a rate', () => {
  let now = 0;
  const bucket = createTokenBucket({ perSecond: 50, burst: 200 }, () => now);
  const takeAll = () => {
    let taken = 0;
    while (bucket.take()) taken += 1;
    return taken;
  };
  expect(takeAll()).toBe(200);
  now += 1_000;
  expect(takeAll()).toBe(50);
  now += 3_600_000;
  expect(takeAll()).toBe(200);
  now -= 5_000;
  expect(takeAll()).toBe(0);
});

test('W7.08 R19.01 the sockets of many accounts at one address share its rate, and those at another address have their own', () => {
  let now = 0;
  const accounts = createAccountSockets(() => now);
  const sockets = Array.from({ length: 100 }, (_, at) => accounts.join(`account-${at}`, '2001:db8::1'));
  const takeAll = () => {
    let taken = 0;
    for (const { take } of sockets) while (take(1)) taken += 1;
    return taken;
  };
  expect(takeAll()).toBe(socketLimits.address.burst);
  now += 1_000;
  expect(takeAll()).toBe(socketLimits.address.perSecond);
  expect(accounts.join('account-0b', '2001:db8::2').take(1)).toBe(false);
  expect(accounts.join('another', '192.0.2.1').take(1)).toBe(true);
  for (const { leave } of sockets) leave();
});
