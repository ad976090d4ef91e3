import { expect, test } from 'vitest';
import { endCall } from '../../../../server/modules/executions/tools/end-call.ts';
import type { RunTool } from '../../../../server/modules/tools/index.ts';

type Deps = Parameters<typeof endCall>[0];
type From = Parameters<typeof endCall>[1];
type Row = Parameters<typeof endCall>[2]['row'];

/** A step whose run's files are in these states, one after another, when the end of a call is stored. */
function stepWith(states: string[]) {
  const seen: string[] = [];
  const stored: { state: unknown; files: boolean }[] = [];
  const row = {
    callId: 'c',
    tool: 'edit_file',
    args: '{}',
    state: 'pending',
    effect: 'idempotent',
    source: 'files',
    createdAt: new Date(0),
  } as Row;
  const step = { stepId: 'step', orderIndex: 0, readFiles: null, startedAt: null, toolUse: null };
  const claim = {
    row: { id: 'run', userId: 'ann', projectId: 'p', language: 'en', hasOutside: false },
    step,
    steps: [],
  } as unknown as From;
  const progress: Deps['ends']['progress'] = async (from, work) => {
    const query = { from: () => query, where: async () => [{ stamp: states.shift() ?? 'last' }] };
    let writes = 0;
    const it = {
      ...{
        now: new Date(0),
        row: { id: 'run', graph: null, hasFiles: true, lastSeq: 1 },
        tx: () => ({ select: () => query }),
        set: () => {},
      },
      addWrite: () => {
        writes += 1;
      },
      record: (_type: string, about: { call: { state: unknown } }) => stored.push({ state: about.call.state, files: writes > 1 }),
      setStep: async () => step,
    };
    await work(it as never, step as never);
    return from;
  };
  const tool: RunTool = {
    ...{ name: 'edit_file', key: 'own:edit_file', description: '', parameters: {}, effect: 'idempotent', source: 'files', policy: 'auto' },
    carryOut: async () => {
      const stamp = `state ${seen.length + 1}`;
      seen.push(stamp);
      return { ok: true, text: 'Edited.', stamp, writes: [{ path: 'a.ts', language: null, content: 'x', size: 1 }] };
    },
  };
  const deps = { ends: { progress }, tools: [tool], signal: new AbortController().signal, log: { error: () => {} } } as unknown as Deps;
  return { seen, stored, run: () => endCall(deps, claim, { row, next: undefined, before: 0 }) };
}

test('C1.06 a call that another step’s write has overtaken is carried out again, and stored only once the files stay unchanged', async () => {
  const step = stepWith(['other', 'other', 'state 3']);
  await step.run();
  expect(step.seen).toHaveLength(3);
  expect(step.stored).toEqual([{ state: 'done', files: true }]);
});

test('C1.06 a call whose files change during each of twenty tries fails with a sentence, and stores no files', async () => {
  const step = stepWith([]);
  await step.run();
  expect(step.seen).toHaveLength(20);
  expect(step.stored).toEqual([{ state: 'failed', files: false }]);
});
