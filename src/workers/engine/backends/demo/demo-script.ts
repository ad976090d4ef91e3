import { demoFiles, demoFoundLine } from './demo-files.ts';
import type { DemoAgentKey } from './demo-team.ts';
import { demoTestLog } from './demo-tests.ts';

/** How long each agent works on its message, and the time from the last message to the end (ms). W4.16 */
export const demoStepMs = 2_000;
export const demoEndMs = 1_000;
/** How long a question waits for the answer of the script (ms). */
export const demoQuestionMs = 5_000;
/** How long a call of a tool takes, before the message is written (ms). */
export const demoCallMs = 250;
/** How often a longer part of a message is shown while it is written (ms). */
export const demoTextIntervalMs = 250;

/** A call of a tool on the shop's repository. */
export type DemoCall = {
  tool: 'list_files' | 'search_files' | 'read_file' | 'edit_file' | 'run_tests';
  args: Readonly<Record<string, string>>;
  result: string;
};

export type DemoLine = {
  agent: DemoAgentKey;
  promptTokens: number;
  completionTokens: number;
  /** Names of the message's files. */
  files: readonly string[];
  calls?: readonly DemoCall[];
  /** How many of the agent's simulated tests pass and fail in the end. */
  tests?: readonly [passed: number, failed: number];
};

const contract = 'api/orders-export.yaml';
const exportOrders = 'server/orders/export-orders.ts';
const readContract: DemoCall = { tool: 'read_file', args: { path: contract }, result: demoFiles[contract]?.content ?? '' };

/** The agents in their order, with their files. The texts are in the locales under the agent's key. */
export const demoScript: readonly DemoLine[] = [
  { agent: 'assistant', promptTokens: 760, completionTokens: 360, files: [] },
  { agent: 'product', promptTokens: 2_510, completionTokens: 970, files: [] },
  { agent: 'project', promptTokens: 2_140, completionTokens: 820, files: [] },
  {
    agent: 'lead',
    promptTokens: 2_980,
    completionTokens: 1_230,
    files: [contract],
    calls: [
      { tool: 'list_files', args: { folder: 'server/orders' }, result: 'server/orders/csv.ts (1204)\nserver/orders/orders.ts (5310)' },
      { tool: 'search_files', args: { text: 'streamOrders' }, result: demoFoundLine },
    ],
  },
  {
    agent: 'frontend',
    promptTokens: 2_260,
    completionTokens: 1_080,
    files: ['web/orders/export-dialog.tsx', 'web/orders/use-export.ts'],
    calls: [readContract],
  },
  {
    agent: 'backend',
    promptTokens: 2_190,
    completionTokens: 1_120,
    calls: [
      readContract,
      { tool: 'run_tests', args: {}, result: demoTestLog({ passed: 3, failed: 1 }, 'not ok 2 - 50000 rows: file\n  mailed ≠ file') },
      {
        tool: 'edit_file',
        args: { path: exportOrders, old: 'rows >= maxRowsAtOnce', new: 'rows > maxRowsAtOnce' },
        result: exportOrders,
      },
      { tool: 'run_tests', args: {}, result: demoTestLog({ passed: 4, failed: 0 }, '') },
    ],
    tests: [4, 0],
    files: [exportOrders, 'server/orders/export-job.ts', 'server/orders/export-orders.test.ts'],
  },
];
