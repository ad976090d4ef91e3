import type { Agent } from '../../../../../contract/agent.ts';
import type { CanvasDocument, CanvasNode, Connection } from '../../../../../contract/canvas.ts';
import en from '../../../../../locales/en/content/demo-review.json' with { type: 'json' };
import ru from '../../../../../locales/ru/content/demo-review.json' with { type: 'json' };
import { userHue } from '../../../../model/agents/roles.ts';
import { cardOfAgent } from '../../../../model/document/place-item.ts';
import { fileBlocks } from './demo-answer.ts';
import type { DemoMove } from './demo-move.ts';
import { demoScript } from './demo-script.ts';
import { demoAgentId } from './demo-team.ts';

/** Every text of the canvas with a review. */
type ReviewTexts = typeof ru;

/** The texts in a language: English, else Russian. */
export function reviewTexts(language: string): ReviewTexts {
  return language.toLowerCase().startsWith('en') ? en : ru;
}

const [dialog, developer, reviewer, person] = ['review-dialog', demoAgentId('backend'), demoAgentId('product'), 'review-person'] as const;
const linkId = (from: string, to: string) => `conn-${from}-${to}`;

/** A developer and a reviewer in a loop of three rounds, and a person after them. */
export function reviewCanvas(review: ReviewTexts, agents: readonly Agent[]): CanvasDocument {
  const hue = userHue(undefined);
  const agentCard = (id: string): CanvasNode[] =>
    agents.flatMap((agent) => (agent.id === id ? [{ id, ...cardOfAgent(agent), x: id === developer ? 350 : 700, y: 40 }] : []));
  const nodes: CanvasNode[] = [
    { id: dialog, type: 'dialog', title: review.dialogTitle, goal: review.goal, description: review.task, x: 0, y: 0 },
    ...agentCard(developer),
    ...agentCard(reviewer),
    {
      id: person,
      type: 'agent',
      title: review.person,
      role: 'user',
      isUser: true,
      serverAgentId: person,
      x: 700,
      y: 305,
      color: { background: hue, border: hue },
      step: { person: { question: review.question, inputs: [] } },
    },
  ];
  const links: [from: string, to: string, run?: Connection['run']][] = [
    [dialog, developer],
    [developer, reviewer],
    [reviewer, developer, { label: review.rework, maxRounds: 3, test: { is: 'testsFail', value: '' } }],
    [reviewer, person, { label: review.accepted, test: { is: 'testsPass', value: '' } }],
  ];
  const connections = links.map(([from, to, run]): Connection => {
    const ends = { from: { agentId: from, port: 'out' }, to: { agentId: to, port: 'in' } } as const;
    return { id: linkId(from, to), ...ends, ...(run && { run }) };
  });
  return {
    nodes: Object.fromEntries(nodes.map((node) => [node.id, node])),
    connections: Object.fromEntries(connections.map((link) => [link.id, link])),
  };
}

/** A failing test sends the work back once, the tests pass in the second round, and a person approves it. */
export function reviewMoves(review: ReviewTexts): DemoMove[] {
  const of = (nodeId: string, { thought, answer }: { thought: string; answer: readonly string[] }, tokens: [number, number]) => ({
    nodeId,
    thought,
    answer: answer.join('\n\n'),
    promptTokens: tokens[0],
    completionTokens: tokens[1],
  });
  const second = of(developer, review.second, [2_010, 1_040]);
  const files = demoScript.find(({ agent }) => agent === 'backend')?.files ?? [];
  return [
    of(developer, review.first, [1_320, 610]),
    { ...of(reviewer, review.back, [1_480, 190]), choice: review.rework, tests: [3, 1], again: [developer, reviewer] },
    { ...second, answer: [second.answer, ...fileBlocks(files)].join('\n\n') },
    { ...of(reviewer, review.accept, [2_260, 170]), choice: review.accepted, tests: [4, 0] },
    {
      nodeId: person,
      question: { title: review.person, text: review.question, linkIds: [] },
      answer: review.answer,
      answeredBy: review.answeredBy,
    },
  ];
}
