import type { CanvasDocument, Connection } from '../../../../contract/canvas.ts';
import { titles } from '../plan/run-graph-plan.ts';
import { cyclesWithTwoEntries } from '../plan/run-scope.ts';
import { cures } from './participation-cures.ts';
import type { ParticipationReport, TakingPart } from './participation-state.ts';

/** Why Start is refused. Cycles without rounds have reports of their own. */
export function refusalReports(document: CanvasDocument, { refusals, scope }: TakingPart): ParticipationReport[] {
  const unmarked = new Set(cyclesWithTwoEntries(document, scope.cycles).flatMap((entries) => entries.map(({ id }) => id)));
  return refusals.flatMap(({ code, params = {}, nodeIds: shown = [], connectionIds = [] }): ParticipationReport[] => {
    const links = connectionIds.flatMap((id) => document.connections[id] ?? []);
    if (code === 'graph.twoEntries') {
      if (links.every(({ id }) => unmarked.has(id))) return [];
      // The links into the middle first: they are most often the mistake.
      const entries = links.toSorted((a, b) => Number(a.to.agentId === params.first) - Number(b.to.agentId === params.first));
      return [enteredReport(document, { nodeIds: shown, linkIds: connectionIds, entries })];
    }
    const lit = shown.filter((id) => Object.hasOwn(document.nodes, id));
    const problem = { code, params, nodeIds: lit, connectionIds: links.map(({ id }) => id) };
    return [{ kind: 'refused', params: {}, problem, isLeftOut: false, nodeIds: lit, linkIds: problem.connectionIds, cures: [] }];
  });
}

type Entered = { nodeIds: readonly string[]; linkIds: readonly string[]; entries: readonly Connection[] };

/** A cycle that links enter at these cards: either of the entries may go. */
export function enteredReport(document: CanvasDocument, { nodeIds, linkIds, entries }: Entered): ParticipationReport {
  const params = { cards: titles(document, nodeIds), count: nodeIds.length };
  return { kind: 'loopEntered', params, isLeftOut: false, nodeIds, linkIds, cures: cures.twoEntries(document, entries) };
}
