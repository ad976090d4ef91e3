import type { Question } from '../../../../../contract/executions/question.ts';
import { demoAnswer } from './demo-answer.ts';
import { type DemoCall, demoScript } from './demo-script.ts';
import { type DemoAgentKey, demoAgentId } from './demo-team.ts';
import type { DemoTexts } from './demo-texts.ts';

/** What one agent says in a run of the script. */
export type AgentMove = {
  nodeId: string;
  thought: string;
  /** Markdown. */
  answer: string;
  promptTokens: number;
  completionTokens: number;
  /** Calls of tools before the answer. */
  calls?: readonly DemoCall[];
  /** The simulated tests after it: how many pass and fail. */
  tests?: readonly [passed: number, failed: number];
  /** The label that the agent chooses. */
  choice?: string;
  /** Cards that work once more after it: another round of their review loop. */
  again?: readonly string[];
};

/** A question to a person, which the script answers. */
export type PersonMove = { nodeId: string; question: Pick<Question, 'title' | 'text' | 'linkIds'>; answer: string; answeredBy: string };

export type DemoMove = AgentMove | PersonMove;

/** The moves of a team whose agents work one after another. */
export function teamMoves(agents: readonly DemoAgentKey[], texts: DemoTexts): AgentMove[] {
  return demoScript.flatMap((line) => {
    const { agent, promptTokens, completionTokens, calls = [], tests } = line;
    if (!agents.includes(agent)) return [];
    const { thought } = texts.script[agent];
    const answer = demoAnswer(line, texts);
    return [{ nodeId: demoAgentId(agent), thought, answer, promptTokens, completionTokens, calls, ...(tests && { tests }) }];
  });
}
