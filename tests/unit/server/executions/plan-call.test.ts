import fc from 'fast-check';
import { expect, test } from 'vitest';
import { toolEffects, toolSources } from '../../../../contract/executions/tool-call.ts';
import { toolPolicies } from '../../../../contract/tool-server.ts';
import type { ToolCallRow } from '../../../../server/modules/executions/store/tool-call-rows.ts';
import { type CallsOfRun, planCall } from '../../../../server/modules/executions/tools/carry-out-call.ts';
import type { RunTool } from '../../../../server/modules/tools/index.ts';

const tool = (given: Partial<RunTool> = {}): RunTool => ({
  ...{ name: 'find', key: 'id:hash', description: '', parameters: {}, effect: 'read', source: 'server', policy: 'auto' },
  carryOut: async () => ({ ok: true, text: '' }),
  ...given,
});
const call = (given: Partial<ToolCallRow> = {}): ToolCallRow => ({
  ...{ executionId: 'e', stepId: 's', turn: 0, callId: 'c', position: 0, tool: 'find', source: 'server', effect: 'read', args: '{}' },
  ...{ approved: false, toolKey: null, state: 'pending', result: null, images: null, ms: null, createdAt: new Date(0), endedAt: null },
  ...given,
});
const run = (given: Partial<CallsOfRun> = {}): CallsOfRun => ({ hasOutside: true, approvedTools: null, language: 'en', ...given });
const planOf = (one: RunTool, row = call(), of = run()) => {
  const plan = planCall(row, [one], of);
  return plan.kind === 'ask' ? plan.approval : plan.kind;
};

test('G3.06 once a run holds a result from outside, a call that leaves the run asks a person, also when its tool only reads', () => {
  expect(planOf(tool(), call(), run({ hasOutside: false }))).toBe('carryOut');
  expect(planOf(tool())).toBe('outside');
  expect(planOf(tool({ source: 'fetch' }))).toBe('outside');
  expect(planOf(tool({ effect: 'write', policy: 'auto' }))).toBe('outside');
  expect(planOf(tool({ policy: 'always' }))).toBe('carryOut');
  expect(planOf(tool({ policy: 'ask' }))).toBe('policy');
  expect(planOf(tool({ source: 'files', effect: 'idempotent' }))).toBe('carryOut');
  const trusted = tool({ source: 'fetch', isTrusted: (args) => (args as { url?: string }).url === 'https://a.test' });
  expect(planOf(trusted, call({ args: '{"url":"https://a.test"}' }))).toBe('carryOut');
  expect(planOf(trusted, call({ args: '{"url":"https://b.test"}' }))).toBe('outside');
});

test('G3.05 an approval holds only for the tool and the definition that the person was asked about', () => {
  const asks = tool({ policy: 'ask' });
  expect(planOf(asks, call({ approved: true, toolKey: 'id:hash' }))).toBe('carryOut');
  for (const toolKey of ['id:other', 'other:hash', null]) expect(planOf(asks, call({ approved: true, toolKey }))).toBe('policy');
  expect(planOf(asks, call(), run({ approvedTools: ['id:hash'] }))).toBe('carryOut');
  expect(planOf(asks, call(), run({ approvedTools: ['id:other'] }))).toBe('policy');
  // What writes asks each time.
  expect(planOf(tool({ policy: 'ask', effect: 'write' }), call(), run({ approvedTools: ['id:hash'] }))).toBe('policy');
});

test('G3.06 a consent for the whole run to a tool that calls hosts covers only the host that it was given for', () => {
  const fetches = tool({ source: 'fetch', hostOf: (args) => (args as { host: string }).host });
  const approvedTools = ['id:hash a.test'];
  expect(planOf(fetches, call({ args: '{"host":"a.test"}' }), run({ approvedTools }))).toBe('carryOut');
  expect(planOf(fetches, call({ args: '{"host":"b.test"}' }), run({ approvedTools }))).toBe('outside');
  expect(planOf(fetches, call({ args: '{"host":"a.test"}' }), run({ approvedTools: ['id:hash'] }))).toBe('outside');
});

test('G3.06 after a result from outside, no call leaves the run that neither the project nor a person has allowed', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...toolEffects),
      fc.constantFrom(...toolSources),
      fc.constantFrom(...toolPolicies),
      fc.boolean(),
      fc.option(fc.constantFrom('id:hash', 'id:other')),
      fc.option(fc.array(fc.constantFrom('id:hash', 'id:other'))),
      fc.constantFrom('pending', 'running'),
      (effect, source, policy, approved, toolKey, approvedTools, state) => {
        const plan = planCall(call({ approved, toolKey, state, effect }), [tool({ effect, source, policy })], run({ approvedTools }));
        if (plan.kind !== 'carryOut' || source === 'files') return;
        const byPerson = (approved && toolKey === 'id:hash') || (effect === 'read' && (approvedTools ?? []).includes('id:hash'));
        expect(policy === 'always' || byPerson).toBe(true);
        expect(plan.isApproved).toBe(byPerson);
      },
    ),
  );
});

test('G3.01 a call whose arguments hold a character that cannot be stored is refused with a sentence before any tool is asked', () => {
  const texts = ['{"path":"a\\u0000b"}', '{"a":[{"b":"\\ud800"}]}', '{"\\u0000":1}', '{"a":{"\\udc00":""}}'];
  for (const args of texts) {
    const plan = planCall(call({ args, approved: true, toolKey: 'id:hash' }), [tool()], run());
    expect(plan).toMatchObject({ kind: 'refuse', state: 'failed', text: expect.stringContaining('NUL') });
  }
  expect(planOf(tool({ source: 'files' }), call({ args: '{"a":"\\ud83d\\ude80 \\u0001"}' }))).toBe('carryOut');
});

test('C4.05 a call beyond the highest number of calls of its tool is refused, also after a person has approved it', () => {
  const limited = tool({ source: 'tests', effect: 'idempotent', maxCalls: 10, isTrusted: () => true });
  expect(planCall(call(), [limited], run(), 9)).toMatchObject({ kind: 'carryOut' });
  expect(planCall(call({ approved: true, toolKey: 'id:hash' }), [limited], run(), 10)).toMatchObject({ kind: 'refuse', state: 'failed' });
});
