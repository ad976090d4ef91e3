import { expect, test } from 'vitest';
import { TestRuns } from '../../../../server/modules/executions/test-runs/test-runs.ts';
import { Runners } from '../../../../server/modules/runners/index.ts';
import type { Db } from '../../../../server/platform/database/database.ts';

type Planned = Parameters<TestRuns['planFor']>[0];

/** Plans the tests of a step, on a machine of one person without a runner. Returns the kind of the plan, and how many statements it has cost. */
async function planned(role: string, files: Partial<Planned['row']> = {}): Promise<{ kind: string; statements: number }> {
  let statements = 0;
  const counted = {
    from: async () => {
      statements++;
      return [];
    },
  };
  const db = { select: () => counted } as unknown as Db;
  const secrets = { seal: (text: string) => text, open: (text: string) => text };
  const runners = new Runners({ db, secrets, operator: null, isLocalOnly: true, dataDir: '' });
  const deps = { db, runner: () => runners.current(), now: () => new Date(0) };
  const tests = new TestRuns(deps as unknown as ConstructorParameters<typeof TestRuns>[0]);
  const row = { id: 'r', projectId: 'p', graph: null, hasFiles: false, inputSetId: null, ...files };
  const of = { row, step: { stepId: 's', role } } as unknown as Planned;
  const { kind } = await tests.planFor(of, { result: 'Done.', simulated: true });
  return { kind, statements };
}

test('G3.35 a step without tests to execute asks for no runner: not one of a developer, nor one of a tester without files', async () => {
  expect(await planned('developer')).toEqual({ kind: 'none', statements: 0 });
  expect(await planned('developer', { hasFiles: true })).toEqual({ kind: 'none', statements: 0 });
  expect(await planned('qa')).toEqual({ kind: 'none', statements: 0 });
});

test('G3.35 the step of a tester in a run with files asks for the runner once', async () => {
  expect(await planned('qa', { hasFiles: true })).toEqual({ kind: 'none', statements: 1 });
  expect(await planned('tester', { inputSetId: 'i' })).toEqual({ kind: 'none', statements: 1 });
});
