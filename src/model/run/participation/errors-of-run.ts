import type { ValidationProblem } from '../../../../rules/checked-document.ts';
import { listedProblems } from '../../problem.ts';
import type { Participation } from './participation-state.ts';

/** Errors of one kind: the first of them, how many there are, and the cards that have them. */
export type ErrorGroup = { first: ValidationProblem; count: number; nodeIds: string[]; connectionIds: string[]; cure: ErrorCure | null };

/** What mends all errors of a kind in one press: agents are made for the cards that have none. */
type ErrorCure = 'restoreAgents';

const cureOf: Readonly<Record<string, ErrorCure>> = {
  'agent.serverMissing': 'restoreAgents',
  'agent.serverIdTwice': 'restoreAgents',
  'agent.serverIdMissing': 'restoreAgents',
};

/** Returns the errors that prevent the next run: those of cards and links that take part in it. Others count once they do. */
export function errorsOfRun(
  validation: readonly ValidationProblem[],
  { leftOutNodes, leftOutLinks }: Pick<Participation, 'leftOutNodes' | 'leftOutLinks'>,
): ValidationProblem[] {
  const errors = validation.filter(({ severity }) => severity === 'error');
  if (errors.length === 0) return errors;
  const [nodes, links] = [new Set(leftOutNodes), new Set(leftOutLinks)];
  const isLeftOut = ({ code, nodeId, connectionId, nodeIds = [], connectionIds = [] }: ValidationProblem) => {
    const about = [
      ...[nodeId ?? [], nodeIds].flat().map((id) => nodes.has(id)),
      ...[connectionId ?? [], connectionIds].flat().map((id) => links.has(id)),
    ];
    // A rule of the graph of all cards: with a card or a link that is left out, the graph of the run is another one, whose refusals are reports.
    return code.startsWith('graph.') ? about.some(Boolean) : about.length > 0 && about.every(Boolean);
  };
  return errors.filter((error) => !isLeftOut(error));
}

/** Groups errors by their reason, the most frequent one first. */
export function groupErrors(errors: readonly ValidationProblem[]): ErrorGroup[] {
  const groups = [...Map.groupBy(errors, ({ code }) => code).values()].map((same): ErrorGroup => {
    const [first] = same as [ValidationProblem, ...ValidationProblem[]];
    return {
      first,
      count: same.length,
      nodeIds: same.flatMap(({ nodeId, nodeIds }) => [nodeId ?? [], nodeIds ?? []].flat()),
      connectionIds: same.flatMap(({ connectionId, connectionIds }) => [connectionId ?? [], connectionIds ?? []].flat()),
      cure: cureOf[first.code] ?? null,
    };
  });
  return groups.sort((a, b) => b.count - a.count);
}

/** The errors of a card that has no agent in a run either. One that shares its agent with a card that is left out has it. */
const lacksAgent: ReadonlySet<string> = new Set(['agent.serverMissing', 'agent.serverIdMissing']);

/**
 * Whether Start would be refused whatever the task is: no card takes part, or none of those that do has an agent. Of many errors only the first ones are
 * known. `assigned`: the cards that a run gives an agent (`assignAgents`).
 */
export function nothingCanRun(
  { taking, of }: Pick<Participation, 'taking' | 'of'>,
  errors: readonly ValidationProblem[],
  assigned: () => ReadonlyMap<string, string> = () => new Map(),
): boolean {
  if (of === 0) return false;
  const withoutAgent = new Set(errors.flatMap(({ code, nodeId }) => (lacksAgent.has(code) ? (nodeId ?? []) : [])));
  if (withoutAgent.size < Math.min(taking, listedProblems)) return false;
  const byNode = withoutAgent.size > 0 ? assigned() : new Map();
  return ![...withoutAgent].some((id) => byNode.has(id));
}
