import type { Agent } from '../../../../../contract/agent.ts';
import { backendFiles, demoFiles, demoFoundLine } from './demo-files.ts';
import { type AgentMove, canvasOf, type DemoCall, type DemoScript, demoCard, demoTestLog, messageOf } from './demo-script.ts';
import { type DemoAgentKey, demoAgentId } from './demo-team.ts';
import { demoTexts } from './demo-texts.ts';

type TeamLine = Pick<AgentMove, 'promptTokens' | 'completionTokens' | 'calls' | 'tests'> & {
  agent: DemoAgentKey;
  /** The card whose link leads to the agent's card. */
  after: DemoAgentKey | 'dialog';
  /** The place of its card (world px, top-left): two rows of three, the two developers side by side. */
  place: { x: number; y: number };
  /** Names of the message's files. */
  files: readonly string[];
};

const contract = 'api/orders-export.yaml';
const exportOrders = 'server/orders/export-orders.ts';
const readContract: DemoCall = { tool: 'read_file', args: { path: contract }, result: demoFiles[contract] ?? '' };

/** The agents in their order, with their cards and files. The texts are in the locales under the agent's key. */
const lines: readonly TeamLine[] = [
  { agent: 'assistant', after: 'dialog', place: { x: 350, y: 40 }, promptTokens: 760, completionTokens: 360, files: [] },
  { agent: 'product', after: 'assistant', place: { x: 700, y: 40 }, promptTokens: 2_510, completionTokens: 970, files: [] },
  { agent: 'project', after: 'product', place: { x: 0, y: 300 }, promptTokens: 2_140, completionTokens: 820, files: [] },
  {
    agent: 'lead',
    after: 'project',
    place: { x: 350, y: 300 },
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
    after: 'lead',
    place: { x: 700, y: 300 },
    promptTokens: 2_260,
    completionTokens: 1_080,
    files: ['web/orders/export-dialog.tsx', 'web/orders/use-export.ts'],
    calls: [readContract],
  },
  {
    agent: 'backend',
    after: 'lead',
    place: { x: 700, y: 480 },
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
      { tool: 'run_tests', args: {}, result: demoTestLog({ passed: 4, failed: 0 }) },
    ],
    tests: { passed: 4, failed: 0 },
    files: backendFiles,
  },
];

/** Six agents in a chain that ends in two developers: seven cards and six links. W9.05 */
export function teamScript(language: string, agents: readonly Agent[]): DemoScript {
  const texts = demoTexts(language);
  const { title, goal, task } = texts.dialog;
  return {
    project: texts.project,
    canvas: canvasOf(
      [
        { id: demoAgentId('dialog'), type: 'dialog', title, goal, description: task, x: 0, y: 0 },
        ...lines.flatMap(({ agent, place }) => demoCard(agents, agent, place)),
      ],
      lines.map(({ agent, after }) => [demoAgentId(after), demoAgentId(agent)]),
    ),
    pipeline: texts.pipeline,
    isGraph: false,
    task,
    summary: texts.summary,
    moves: lines.map(({ agent, files, promptTokens, completionTokens, calls, tests }) => ({
      nodeId: demoAgentId(agent),
      thought: texts.script[agent].thought,
      answer: messageOf(texts.script[agent].answer, files),
      promptTokens,
      completionTokens,
      calls,
      tests,
    })),
  };
}
