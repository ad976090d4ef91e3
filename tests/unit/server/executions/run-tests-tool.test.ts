import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { createRunTestsTool, maxTestCalls } from '../../../../server/modules/executions/test-runs/run-tests-tool.ts';
import { type TestRuns, withFilter } from '../../../../server/modules/executions/test-runs/test-runs.ts';
import type { ToolStep } from '../../../../server/modules/tools/index.ts';
import type { ModelOutcome } from '../../../../server/platform/llm/language-model.ts';
import { asOwner } from '../../../../server/platform/owner-id.ts';
import { runFakeStep } from '../../../support/run-graph/fake-step.ts';

const ofStep: ToolStep = {
  ...{ userId: asOwner('u'), projectId: 'p', agentId: 'a', executionId: 'e', language: 'en', hasFiles: true, hasServerTools: false },
  ...{ fileAccess: 'write', runsTests: true, fetchHosts: [], teamVersionId: null },
};
const log = 'not ok 1 - an empty value\n';

function provider(command: string | null = 'npm test') {
  const executed: (string | undefined)[] = [];
  const tests: Pick<TestRuns, 'commandOf' | 'execute' | 'timeForCall'> = {
    commandOf: async () => command,
    timeForCall: (ms) => ({ ms, reason: 'step_timeout' }),
    execute: async (_of, run) => {
      executed.push(run.filter);
      return { log, run: { ...run, state: 'ended', exitCode: 1, ms: 5, hasLog: true, logEnd: log, counts: { passed: 0, failed: 1 } } };
    },
  };
  return { executed, provider: createRunTestsTool({ tests, now: () => new Date(0) }) };
}

const calls = (...args: object[]): ModelOutcome => ({
  ok: true,
  value: {
    ...{ text: '', thoughts: null, finish: 'stop', usage: null },
    calls: args.map((one, at) => ({ id: `c${at}`, name: 'run_tests', arguments: JSON.stringify(one) })),
  },
});
const done: ModelOutcome = { ok: true, value: { text: 'Done.', thoughts: null, finish: 'stop', usage: null } };

test('C4.04 only an agent that may execute tests gets the tool, in a run with files and a project with a command', async () => {
  const namesFor = async (step: Partial<ToolStep>, command?: string | null) =>
    (await provider(command).provider.toolsFor({ ...ofStep, ...step })).map(({ name }) => name);
  expect(await namesFor({})).toEqual(['run_tests']);
  expect(await namesFor({ runsTests: false })).toEqual([]);
  expect(await namesFor({ hasFiles: false })).toEqual([]);
  expect(await namesFor({}, null)).toEqual([]);
});

test('C4.04 the call returns the end of the log, and the step shows the tests that the call executed', async () => {
  const { provider: tool, executed } = provider();
  const step = await runFakeStep({ tools: await tool.toolsFor(ofStep), answers: [calls({ filter: 'slug' }), done] });
  expect(executed).toEqual(['slug']);
  const [result] = step.requests[1]?.turns?.[0]?.calls ?? [];
  expect(result?.result).toContain('Exit code 1. Its log counts 0 passed and 1 failed.');
  expect(result?.result).toContain(log);
  expect(step.step.testRun).toMatchObject({ state: 'ended', exitCode: 1, filter: 'slug', byAgent: true });
  // Nothing has changed outside of the run, so another model may go on.
  expect(step.about).toMatchObject({ hasEffect: false, lastWrite: null });
});

test('C4.05 a step has its tests executed ten times at the most, also when it began again after a crash', async () => {
  const { provider: tool, executed } = provider();
  const tools = await tool.toolsFor(ofStep);
  const many = Array.from({ length: maxTestCalls - 1 }, () => ({}));
  const first = await runFakeStep({ tools, answers: [calls(...many), done] });
  const again = await runFakeStep({ tools, turns: first.turns, answers: [calls({}, {}), done] });
  expect(executed).toHaveLength(maxTestCalls);
  expect(again.requests[1]?.turns?.[1]?.calls.map(({ isError }) => isError)).toEqual([false, true]);
  expect(again.requests[1]?.turns?.[1]?.calls[1]?.result).toContain('This step has made its 10 calls of this tool.');
});

test.for(['-c', '--reporter=x', 'a\nb', 'a\u0000', 'x'.repeat(201), ' ', 'a\u2028b'])(
  'C4.04 the filter %j is refused, and leaves no tests under way',
  async (filter) => {
    const { provider: tool, executed } = provider();
    const step = await runFakeStep({ tools: await tool.toolsFor(ofStep), answers: [calls({ filter }), done] });
    expect(executed).toEqual([]);
    expect(step.requests[1]?.turns?.[0]?.calls[0]?.isError).toBe(true);
    expect(step.step.testRun ?? null).toBeNull();
  },
);

test.for(['a b', "it's", '$(id)', '`id`', '; id', '"; id; "', "'; id; '", '\\', 'a\\', '*', '$HOME', '&& id', '# id', '%s'])(
  'C4.04 the filter %j is one argument of the command, and never a part of its syntax',
  (filter) => {
    const executed = (command: string) => execFileSync('/bin/sh', ['-c', withFilter(command, filter)], { encoding: 'utf8', stdio: 'pipe' });
    expect(executed("printf '[%s]' first")).toBe(`[first][${filter}]`);
    // Not even where the command of the project ends in the middle of a quote.
    expect(() => executed("printf 'open")).toThrow(/nterminated quot/);
  },
);
