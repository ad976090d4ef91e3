import type { Agent } from '../../../../../contract/agent.ts';
import type { CanvasNode } from '../../../../../contract/canvas.ts';
import en from '../../../../../locales/en/content/demo-review.json' with { type: 'json' };
import ru from '../../../../../locales/ru/content/demo-review.json' with { type: 'json' };
import { userHue } from '../../../../model/agents/roles.ts';
import { backendFiles } from './demo-files.ts';
import { type AgentMove, canvasOf, type DemoLink, type DemoScript, demoCard, messageOf } from './demo-script.ts';
import { demoAgentId } from './demo-team.ts';
import { textsIn } from './demo-texts.ts';

type ReviewTexts = typeof ru;

const dialog = 'review-dialog';
const developer = demoAgentId('backend');
const reviewer = demoAgentId('product');
const person = 'review-person';

/** A developer and a reviewer in a loop of three rounds, and a person after them. */
export function reviewScript(language: string, agents: readonly Agent[]): DemoScript {
  const texts = textsIn<ReviewTexts>(language, { ru, en });
  const { name, description, goal, task } = texts;
  const links: readonly DemoLink[] = [
    [dialog, developer],
    [developer, reviewer],
    [reviewer, developer, { label: texts.rework, maxRounds: 3, test: { is: 'testsFail', value: '' } }],
    [reviewer, person, { label: texts.accepted, test: { is: 'testsPass', value: '' } }],
  ];
  return {
    project: { name, description },
    canvas: canvasOf(
      [
        { id: dialog, type: 'dialog', title: texts.dialogTitle, goal, description: task, x: 0, y: 0 },
        ...demoCard(agents, 'backend', { x: 350, y: 40 }),
        ...demoCard(agents, 'product', { x: 700, y: 40 }),
        personCard(texts),
      ],
      links,
    ),
    pipeline: texts.pipeline,
    isGraph: true,
    task,
    summary: texts.summary,
    moves: movesOf(texts),
    failure: texts.log,
    budgetsOf,
  };
}

function personCard({ person: title, question }: ReviewTexts): CanvasNode {
  const hue = userHue(undefined);
  return {
    id: person,
    type: 'agent',
    title,
    role: 'user',
    isUser: true,
    serverAgentId: person,
    x: 700,
    y: 305,
    color: { background: hue, border: hue },
    step: { person: { question, inputs: [] } },
  };
}

/** A hard budget of the run: a little more than its script needs. */
const budgetsOf: NonNullable<DemoScript['budgetsOf']> = ({ id, updatedAt, steps }) => {
  const used = steps.flatMap(({ usage }) => usage ?? []);
  const tokens = used.reduce((sum, { totalTokens }) => sum + totalTokens, 0);
  return [
    {
      id: `demo-budget-${id}`,
      scope: 'run',
      span: 'run',
      tokens: 11_000,
      atLimit: 'ask',
      warnAt: 80,
      used: { micros: 0, tokens, calls: used.length, activeMs: 0, reservedMicros: 0, reservedTokens: 0 },
      updatedAt,
    },
  ];
};

/** A failing test sends the work back once, the tests pass in the second round, and a person approves it. */
function movesOf(texts: ReviewTexts): DemoScript['moves'] {
  const move = (key: 'first' | 'back' | 'second' | 'accept', promptTokens: number, completionTokens: number): AgentMove => ({
    nodeId: key === 'first' || key === 'second' ? developer : reviewer,
    thought: texts[key].thought,
    answer: messageOf(texts[key].answer, key === 'second' ? backendFiles : []),
    promptTokens,
    completionTokens,
  });
  return [
    move('first', 1_320, 610),
    { ...move('back', 1_480, 190), choice: texts.rework, tests: { passed: 3, failed: 1 }, again: [developer, reviewer] },
    move('second', 2_010, 1_040),
    { ...move('accept', 2_260, 170), choice: texts.accepted, tests: { passed: 4, failed: 0 } },
    {
      nodeId: person,
      question: { title: texts.person, text: texts.question, linkIds: [] },
      answer: texts.answer,
      answeredBy: texts.answeredBy,
    },
  ];
}
