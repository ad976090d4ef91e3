import { expect, test } from 'vitest';
import { createServerConnections } from '../../../../server/modules/tool-servers/connect-servers.ts';
import type { ToolServerRow } from '../../../../server/modules/tool-servers/repository.ts';

test('G3.33 an account has eight processes over all of its projects; another account is not told to wait', async () => {
  const silent = { name: 'silent', command: '/bin/sleep', args: ['60'], environment: {} };
  const connect = createServerConnections({
    ...({ egress: null, tokens: null, accounts: null, secrets: null } as never as Pick<
      Parameters<typeof createServerConnections>[0],
      'egress' | 'tokens' | 'accounts' | 'secrets'
    >),
    operatorServers: new Map([['silent', silent]]),
    ownerOf: async (projectId) => projectId.split(' ')[0] ?? null,
  });
  const ending = new AbortController();
  const reasonOf = (projectId: string) =>
    connect({ projectId, name: 'silent', url: null } as ToolServerRow, ending.signal).then(
      () => 'open',
      (error: { reason?: string; name: string }) => error.reason ?? error.name,
    );
  const first = Array.from({ length: 8 }, (_, at) => reasonOf(`ann ${at % 3}`));
  expect(await reasonOf('ann 9')).toBe('busy');
  const other = reasonOf('bob 1');
  // Another account waits for a place, so the first answer is the refusal.
  expect(await Promise.race([other, reasonOf('ann 1')])).toBe('busy');
  ending.abort();
  expect(await Promise.all([...first, other])).toEqual(Array(9).fill('AbortError'));
});
