import type { Agent } from '../../../../../contract/agent.ts';
import type { Budget } from '../../../../../contract/budget.ts';
import type { CanvasDocument, CanvasNode, Connection } from '../../../../../contract/canvas.ts';
import type { ExecutionDetails } from '../../../../../contract/executions/execution.ts';
import type { Question } from '../../../../../contract/executions/question.ts';
import type { TestCounts } from '../../../../../contract/executions/test-run.ts';
import { tapSummary } from '../../../../../rules/simulated/simulated-test-run.ts';
import { cardOfAgent } from '../../../../model/document/place-item.ts';
import { demoFiles, languageOf } from './demo-files.ts';
import { type DemoAgentKey, demoAgentId } from './demo-team.ts';

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

/** What one agent does in a run of the script. */
export type AgentMove = {
  nodeId: string;
  thought: string;
  /** Markdown. */
  answer: string;
  promptTokens: number;
  completionTokens: number;
  /** Calls of tools before the answer. */
  calls?: readonly DemoCall[] | undefined;
  /** The simulated tests after it: how many pass and fail. */
  tests?: TestCounts | undefined;
  /** The label that the agent chooses. */
  choice?: string;
  /** Cards that work once more after it: another round of their review loop. */
  again?: readonly string[];
};

/** A question to a person, which the script answers. */
export type PersonMove = { nodeId: string; question: Pick<Question, 'title' | 'text' | 'linkIds'>; answer: string; answeredBy: string };

export type DemoMove = AgentMove | PersonMove;

/** A canvas of the demonstration and the script of its runs, in one language. */
export type DemoScript = {
  project: { name: string; description: string };
  canvas: CanvasDocument;
  pipeline: { name: string; description: string };
  /** Its runs show the states of links, as a graph does. */
  isGraph: boolean;
  task: string;
  /** The line of the history about a run that has ended. */
  summary: string;
  /** In order. A run has two points of choice, whose outcomes are here too: the label of a review, and the answer of a person. */
  moves: readonly DemoMove[];
  /** What a failing test has written. */
  failure?: string;
  /** The budgets of a run, with what its steps have used. */
  budgetsOf?: (run: Pick<ExecutionDetails, 'id' | 'updatedAt' | 'steps'>) => Budget[];
};

export type DemoLink = readonly [from: string, to: string, run?: Connection['run']];

export function canvasOf(nodes: readonly CanvasNode[], links: readonly DemoLink[]): CanvasDocument {
  const connections = links.map(([from, to, run]): Connection => {
    const ends = { from: { agentId: from, port: 'out' }, to: { agentId: to, port: 'in' } } as const;
    return { id: `conn-${from}-${to}`, ...ends, ...(run && { run }) };
  });
  return {
    nodes: Object.fromEntries(nodes.map((node) => [node.id, node])),
    connections: Object.fromEntries(connections.map((link) => [link.id, link])),
  };
}

/** The card of an agent of the team, at a place (world px, top-left). */
export function demoCard(agents: readonly Agent[], key: DemoAgentKey, place: { x: number; y: number }): CanvasNode[] {
  const agent = agents.find(({ id }) => id === demoAgentId(key));
  return agent ? [{ id: agent.id, ...cardOfAgent(agent), ...place }] : [];
}

/** A message with files, as Markdown. */
export function messageOf(paragraphs: readonly string[], paths: readonly string[]): string {
  const blocks = paths.map((path) => `\`\`\`${languageOf(path)} path=${path}\n${demoFiles[path]}\`\`\``);
  return [...paragraphs, ...blocks].join('\n\n');
}

/** The log of simulated tests. */
export function demoTestLog(counts: TestCounts, failure = ''): string {
  return [...(counts.failed > 0 ? [failure] : []), ...tapSummary(counts)].join('\n');
}
