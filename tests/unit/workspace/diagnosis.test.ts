import { expect, test } from 'vitest';
import type { AuthConfig, Profile } from '../../../contract/account.ts';
import type { Agent } from '../../../contract/agent.ts';
import type { Health } from '../../../contract/health.ts';
import en from '../../../locales/en/console.json' with { type: 'json' };
import { type Answers, checks, diagnose, type Finding } from '../../../src/app/workspace/diagnostic/diagnosis.ts';
import { failed } from '../../../src/model/problem.ts';

const ok = <T>(value: T) => ({ ok: true as const, value });
const health = { status: 'ok', version: '1', uptimeSeconds: 1, database: 'up', bus: { mode: 'embedded', connected: true } } as Health;
const well: Answers = {
  health: { ...ok(health), ms: 12.4 },
  agents: ok([{ status: 1 }, { status: 0 }] as Agent[]),
  profile: ok({ email: 'ann@example.org' } as Profile),
  configuration: ok({ accessTokenMinutes: 60, registration: 'open' } as AuthConfig),
};
const connection = { realtime: 'connected', authenticated: true, online: true } as const;
const states = (findings: Record<string, Finding>) => checks.map((check) => findings[check]?.state);

test('W7.09 the diagnostic finds connection, agents, token, websocket and configuration well', () => {
  const findings = diagnose(well, connection);
  expect(states(findings)).toEqual(['good', 'good', 'good', 'good', 'good']);
  expect(findings.connection).toMatchObject({ code: 'serverWell', params: { ms: 12, version: '1' } });
  expect(findings.agents).toMatchObject({ params: { count: 2, active: 1 } });
});

test.each([
  [60, 50],
  [15, 15],
])('W7.09 with tokens of %i minutes the session is refreshed every %i minutes', (accessTokenMinutes, minutes) => {
  const configuration = ok({ accessTokenMinutes, registration: 'open' } as AuthConfig);
  expect(diagnose({ ...well, configuration }, connection).configuration.params).toEqual({ minutes });
});

test('W7.09 the diagnostic says of each check by itself what is wrong', () => {
  const refused = failed('unauthenticated');
  const findings = diagnose(
    { ...well, agents: ok([]), profile: refused, health: { ...failed('network'), ms: 1 } },
    { ...connection, realtime: 'off' },
  );
  expect(states(findings)).toEqual(['bad', 'warning', 'bad', 'warning', 'good']);
  expect(findings.token.problem).toEqual(refused.error);
  const ailing = diagnose(
    { ...well, health: { ...ok({ ...health, database: 'down' as const }), ms: 1 } },
    { ...connection, realtime: 'connecting' },
  );
  expect(states(ailing)).toEqual(['warning', 'good', 'good', 'warning', 'good']);
});

test('W7.09 every finding has its text', () => {
  const texts = Object.keys(en.diagnostic.findings).map((key) => key.replace(/_(one|other)$/, ''));
  const realtimes = ['connected', 'connecting', 'disconnected', 'off'] as const;
  const all = [
    ...realtimes.map((realtime) => diagnose(well, { ...connection, realtime })),
    diagnose(
      {
        health: { ...ok({ ...health, status: 'unavailable' as const }), ms: 1 },
        agents: ok([]),
        profile: well.profile,
        configuration: ok({ accessTokenMinutes: 60, registration: 'closed' } as AuthConfig),
      },
      connection,
    ),
  ];
  const codes = new Set(all.flatMap((findings) => checks.map((check) => findings[check].code)));
  expect([...codes].toSorted()).toEqual([...new Set(texts)].toSorted());
});
