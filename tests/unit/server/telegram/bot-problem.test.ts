import { expect, test } from 'vitest';
import { problemOfBot } from '../../../../server/modules/telegram/bot-problem.ts';
import { ProxyFailed } from '../../../../server/platform/egress/tunnel.ts';

test('R25.01 a bot whose proxy does not connect says so, and not that Telegram is away', () => {
  const failure = new Error('No.', { cause: new ProxyFailed('EPROXYDOWN', 'The proxy of HTTPS_PROXY cannot be reached.') });
  expect(problemOfBot(failure)).toBe('proxy');
  expect(problemOfBot(new Error('No.'))).toBe('unreachable');
});
