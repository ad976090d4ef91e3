import { nameOf } from '../../../rules/card.ts';
import type { WorkspaceState } from '../workspace-state.ts';

/** Nodes that an analysis lists; of a larger canvas it lists the first ones and the total. */
const maxNodes = 200;

type Message = { role: 'system' | 'user'; content: string };

/** Returns the question about the project for a model: nodes, links, problems, and the last run. W2.16 */
export function analysisQuestion(
  { project, document, validation, run }: Pick<WorkspaceState, 'project' | 'document' | 'validation' | 'run'>,
  language: string,
): Message[] {
  const cards = Object.values(document.nodes);
  const links = Object.values(document.connections);
  const facts = {
    project: { name: project?.name, description: project?.description, status: project?.status },
    cards: cards.slice(0, maxNodes).map((card) => ({ id: card.id, type: card.type, name: nameOf(card), role: card.role, goal: card.goal })),
    links: links.slice(0, maxNodes).map(({ from, to }) => [from.agentId, to.agentId]),
    total: { cards: cards.length, links: links.length },
    problems: validation.slice(0, maxNodes).map(({ code }) => code),
    lastRun: run.execution && {
      status: run.execution.status,
      steps: run.steps.map(({ name, status, durationMs }) => ({ name, status, durationMs })),
    },
  };
  const instruction = language.startsWith('en')
    ? 'Analyse this project of a team of AI agents: what it is good at, what is risky or missing, and what to do next. Be brief. Answer in English.'
    : 'Проанализируй этот проект команды ИИ-агентов: что в нём хорошо, что рискованно или чего не хватает и что делать дальше. Коротко. Отвечай по-русски.';
  return [
    { role: 'system', content: instruction },
    { role: 'user', content: JSON.stringify(facts) },
  ];
}
