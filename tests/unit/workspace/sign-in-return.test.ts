import { expect, test } from 'vitest';
import { signInReturn } from '../../../src/app/workspace/tools/sign-in-return.ts';

test('G3.28 the address that a sign-in page leads back to names project and server; other addresses are left alone', () => {
  expect(signInReturn('?code=c&state=tools.p.s.x&iss=https%3A%2F%2Fa.test')).toEqual({
    projectId: 'p',
    serverId: 's',
    end: { state: 'tools.p.s.x', code: 'c', iss: 'https://a.test' },
  });
  expect(signInReturn('?error=access_denied&state=tools.p.s.x')).toEqual({ projectId: 'p', serverId: 's', end: null });
  for (const other of ['', '?projectId=p', '?code=c', '?code=c&state=x', '?code=c&state=tools.p.s', '?code=c&state=other.p.s.x'])
    expect(signInReturn(other)).toBeNull();
});
