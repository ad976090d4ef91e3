import { z } from 'zod';
import { type TestRun, testCommandMaxLength } from '../../../../contract/executions/test-run.ts';
import { testsText } from '../../../platform/llm/prompt.ts';
import {
  failed,
  type RunTool,
  refusedHere,
  schemaTool,
  type ToolContext,
  type ToolProvider,
  type ToolResult,
  toolWords,
} from '../../tools/index.ts';
import { testsOf } from '../graph/graph-inputs.ts';
import { begunTests, type TestRuns, withFilter } from './test-runs.ts';

/** The most executions that one step may ask for. */
export const maxTestCalls = 10;

/** One line, and no option of the program. */
const runTestsArguments = z.object({
  filter: z
    .string()
    .trim()
    .min(1)
    .max(200)
    .regex(/^[^\p{Cc}\u2028\u2029-][^\p{Cc}\u2028\u2029]*$/u)
    .optional(),
});

/** The command of a project, and the version of its settings; null for those that it has now. */
type ProjectTests = { command: string; teamVersionId: string | null };

type Deps = { tests: Pick<TestRuns, 'commandOf' | 'execute' | 'timeForCall'>; now: () => Date };

/**
 * The tool by which an agent has the project's own test command executed on the files of its run, as they are now. Each execution has a new folder, so a
 * call may be repeated after a crash.
 */
export function createRunTestsTool({ tests, now }: Deps): ToolProvider {
  const execute = async (
    { command, teamVersionId }: ProjectTests,
    { filter }: z.output<typeof runTestsArguments>,
    context: ToolContext,
  ): Promise<ToolResult> => {
    const { executionId, userId, projectId, stepId, language, installHosts, signal, leftMs } = context;
    if (filter !== undefined && withFilter(command, filter).length > testCommandMaxLength)
      return refusedHere(toolWords[language].filterTooLong);
    const begun = testRunOf(command, filter, now());
    const of = {
      row: { id: executionId, userId, projectId, language, installHosts },
      step: { stepId },
      answer: '',
      teamVersionId,
      limit: tests.timeForCall(leftMs()),
    };
    const ended = await tests.execute(of, begun, signal);
    const [executed] = testsOf([{ item: 0, testRun: ended.run }]);
    return executed ? { ok: true, text: testsText(executed, language), tests: ended } : failed(toolWords[language].internal);
  };

  return {
    async toolsFor({ projectId, teamVersionId, hasFiles, runsTests, language }): Promise<RunTool[]> {
      const command = runsTests && hasFiles ? await tests.commandOf(projectId, teamVersionId) : null;
      if (command === null) return [];
      const about = {
        name: 'run_tests',
        effect: 'idempotent' as const,
        source: 'tests' as const,
        policy: 'auto' as const,
        maxCalls: maxTestCalls,
        description: toolWords[language].runTests,
        // A person has entered the command and allowed it to the agent, and the operator's runner gets the files after the tester's step, too.
        isTrusted: () => true,
        testRunOf: (args: object, at: Date) => {
          const parsed = runTestsArguments.safeParse(args);
          return parsed.success ? testRunOf(command, parsed.data.filter, at) : null;
        },
      };
      return [schemaTool(about, runTestsArguments, (args, context) => execute({ command, teamVersionId }, args, context))];
    },
  };
}

function testRunOf(command: string, filter: string | undefined, at: Date): TestRun {
  return { ...begunTests(command, at.toISOString()), ...(filter !== undefined && { filter }), byAgent: true };
}
