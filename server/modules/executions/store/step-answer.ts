import type { TokenUsage } from '../../../../contract/common.ts';
import type { Cost } from '../../../../contract/cost.ts';
import type { ReadFileOfStep } from '../../../../contract/executions/execution.ts';
import type { StepMark } from '../../../../contract/executions/step-mark.ts';
import type { TestRun } from '../../../../contract/executions/test-run.ts';
import type { SpendRow } from '../../budgets/index.ts';

/** Executed tests as they are stored with their step. */
export type StoredTestRun = TestRun & {
  /** The end of the log, which the prompts of later steps have. */
  logEnd?: string;
};

/** How a call to write a file ended. */
export type WriteEnd = 'written' | 'failed';

export type StepAnswer = {
  result: string;
  usage: TokenUsage | null;
  cost: Cost;
  /** Its model calls that are not stored yet. */
  spend: readonly SpendRow[];
  provider: string;
  model: string;
  simulated: boolean;
  durationMs: number;
  /** Of what the agent was asked with. */
  inputHash: string;
  /** The label that the agent named; undefined without a choice. */
  label?: string | null;
  /** The agent named no label of its links, and none of them is for this case: a person is asked. */
  isUndecided?: true;
  /** The files that the agent was shown; null without any. */
  readFiles?: ReadFileOfStep[] | null;
  /** What the answer lacks, as far as its turns show. */
  marks?: StepMark[];
  /** How the last call to write a file ended; absent for none. */
  lastWrite?: WriteEnd;
  /** Files of the answer are refused: the settings of the agent do not let it change any. */
  mayNotWrite?: true;
  /** What was executed after the answer. */
  testRun?: StoredTestRun;
};

/** The answer of a step that waits until its tests are executed. */
export type PendingAnswer = { answer: StepAnswer; thoughts: string | null };
