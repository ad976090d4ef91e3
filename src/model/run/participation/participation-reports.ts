import type { CanvasDocument, CanvasNode, Connection } from '../../../../contract/canvas.ts';
import { isAgentOrPerson, isAnnotation, isNamed, isPersonCard, isStarter, isWorkingAgent, nameOf } from '../../../../rules/card.ts';
import { namesRouter } from '../../../../rules/text/names-router.ts';
import { mayLeave, runsAllRounds } from '../link-meaning.ts';
import { cyclesWithTwoEntries } from '../plan/run-scope.ts';
import { cures } from './participation-cures.ts';
import type { ParticipationReport, TakingPart } from './participation-state.ts';
import { enteredReport, refusalReports } from './refusal-reports.ts';
import { otherStarts, withoutWayIn } from './unreached-cards.ts';

/** Reports that are made; of more, the first ones. */
const maxReports = 100;

/** Reports on links first, then on cards; what the user has decided comes last. */
export function reportsOf(document: CanvasDocument, part: TakingPart): ParticipationReport[] {
  const { nodeIds, linkIds, starters } = part;
  const told = new Set<string>();
  const reports: ParticipationReport[] = [
    ...refusalReports(document, part),
    ...cycleReports(document, part),
    ...startReports(document, part),
    ...loopReports(document, part),
    ...routerReports(document, part),
    ...holdReports(document, part),
  ];
  for (const report of reports) for (const id of report.linkIds) told.add(id);
  const out = Object.values(document.nodes).filter((node) => !nodeIds.has(node.id) && !isAnnotation(node));
  const unreached = new Set(out.filter(({ id, disabled }) => part.scope.ids && !part.scope.ids.has(id) && !disabled).map(({ id }) => id));
  const others = otherStarts(document, unreached);
  const orphans = withoutWayIn(document, unreached, new Set(others.flatMap(({ nodeIds }) => nodeIds)));
  const curesOf = cures.noWayIn(document, part);
  const inner = out.flatMap((node) => (unreached.has(node.id) ? [] : (cardReport(node) ?? [])));
  const more = [
    ...orphans.slice(0, maxReports).map(
      ({ first, nodeIds }): ParticipationReport => ({
        ...about('noWayIn', document, nodeIds),
        cures: curesOf(first),
      }),
    ),
    ...inner.filter(({ kind }) => kind !== 'disabled'),
    ...others.map(
      ({ starter, nodeIds }): ParticipationReport => ({
        ...about('otherStart', document, nodeIds),
        cures: starters.some(({ id }) => id === starter.id) ? [] : cures.otherStart(starter),
      }),
    ),
    ...inner.filter(({ kind }) => kind === 'disabled'),
  ];
  return withLinks(document, [...reports, ...more].slice(0, maxReports), linkIds, told);
}

/** Adds to each report on cards their links that are left out, as far as no other report is about them. Links of no report get their own. */
function withLinks(document: CanvasDocument, reports: ParticipationReport[], taken: ReadonlySet<string>, told: Set<string>) {
  const reportOf = new Map<string, number>();
  for (const [at, { nodeIds, linkIds }] of reports.entries())
    if (linkIds.length === 0) for (const id of nodeIds) if (!reportOf.has(id)) reportOf.set(id, at);
  const added = new Map<number, string[]>();
  const others: ParticipationReport[] = [];
  for (const link of Object.values(document.connections)) {
    const { id, from, to } = link;
    if (taken.has(id) || told.has(id)) continue;
    const at = reportOf.get(from.agentId) ?? reportOf.get(to.agentId);
    if (at === undefined) {
      if (reports.length + others.length < maxReports)
        others.push({ ...ofLink('passesNothing', document, link), cures: cures.passesNothing(link) });
      continue;
    }
    const known = added.get(at);
    if (known) known.push(id);
    else added.set(at, [id]);
  }
  const whole = reports.map((report, at) => {
    const linkIds = added.get(at);
    return linkIds ? { ...report, linkIds } : report;
  });
  return [...others, ...whole];
}

function about(
  kind: ParticipationReport['kind'],
  { nodes }: CanvasDocument,
  nodeIds: readonly string[],
): Omit<ParticipationReport, 'cures'> {
  const first = nodes[nodeIds[0] ?? ''];
  return { kind, params: { card: first ? nameOf(first) : '', count: nodeIds.length }, isLeftOut: true, nodeIds, linkIds: [] };
}

function ofLink(kind: ParticipationReport['kind'], { nodes }: CanvasDocument, link: Connection): Omit<ParticipationReport, 'cures'> {
  const ends = [link.from.agentId, link.to.agentId];
  const [from = '', to = ''] = ends.map((id) => (nodes[id] ? nameOf(nodes[id]) : id));
  return { kind, params: { from, to }, isLeftOut: true, nodeIds: ends, linkIds: [link.id] };
}

function cardReport(node: CanvasNode): ParticipationReport | null {
  const { id, isUser } = node;
  const report = (kind: ParticipationReport['kind'], cures: ParticipationReport['cures']): ParticipationReport => ({
    kind,
    params: { card: nameOf(node), count: 1 },
    isLeftOut: true,
    nodeIds: [id],
    linkIds: [],
    cures,
  });
  if (node.disabled) return report('disabled', cures.disabled(node));
  if (!isAgentOrPerson(node)) return null;
  if (isUser && !isPersonCard(node)) return report('onlyShown', cures.onlyShown(node));
  return isNamed(node) ? null : report('nameless', []);
}

/** Links that lead back without rounds. A cycle with two entries is one report: it cannot become a loop before one of them is gone. */
function cycleReports(document: CanvasDocument, { scope, isGraph }: TakingPart): ParticipationReport[] {
  return scope.cycles.flatMap((cycle): ParticipationReport[] => {
    const { back } = cycle;
    const [byCards] = cyclesWithTwoEntries(document, [cycle]);
    if (byCards) {
      const ends = [...new Set(byCards.map(({ to }) => to.agentId))];
      const { kind, params, isLeftOut } = about('twoEntries', document, ends);
      const links = [...byCards, ...back].map(({ id }) => id);
      if (isGraph) return [{ ...enteredReport(document, { nodeIds: ends, linkIds: links, entries: byCards }), isLeftOut: true }];
      return [{ kind, params, isLeftOut, nodeIds: ends, linkIds: links, cures: cures.twoEntries(document, byCards) }];
    }
    return back.map((link) => ({ ...ofLink('linkBack', document, link), cures: cures.linkBack(link) }));
  });
}

/** Links of the run's cards to dialogs and start cards, where runs begin. A start card may stand before a dialog. */
function startReports(document: CanvasDocument, { nodeIds, linkIds }: TakingPart): ParticipationReport[] {
  const { nodes, connections } = document;
  return Object.values(connections).flatMap((link): ParticipationReport[] => {
    const isInto = isStarter(nodes[link.to.agentId]) && nodeIds.has(link.from.agentId) && !linkIds.has(link.id);
    return isInto ? [{ ...ofLink('intoStart', document, link), cures: cures.passesNothing(link) }] : [];
  });
}

/** Review loops that run all their rounds, since the card at their end never leaves them. */
function loopReports(document: CanvasDocument, { found }: TakingPart): ParticipationReport[] {
  const loops = found.filter(({ link }) => link.maxRounds !== undefined);
  if (loops.length === 0) return [];
  const outOf = Map.groupBy(found, ({ link }) => link.from);
  const drawnFrom = Map.groupBy(Object.values(document.connections), ({ from }) => from.agentId);
  const waysFrom = (id: string) => drawnFrom.get(id) ?? [];
  return loops.flatMap(({ link, path }): ParticipationReport[] => {
    const usual = (outOf.get(link.from) ?? []).map((one) => one.link).filter(({ onFailure }) => !onFailure);
    const others = usual.filter((other) => other !== link);
    if (!runsAllRounds(link, others, document.nodes[link.from]?.step?.person?.buttons)) return [];
    const drawn = document.connections[path.linkId];
    if (drawn && mayLeave(drawn, waysFrom, document.nodes)) return [];
    const { kind, nodeIds } = about('loopAlways', document, [link.from, link.to]);
    const name = (id: string) => (document.nodes[id] ? nameOf(document.nodes[id]) : id);
    const params = { from: name(link.from), to: name(link.to), count: link.maxRounds ?? 1 };
    return [{ kind, params, isLeftOut: false, nodeIds, linkIds: [path.linkId], cures: cures.loopAlways(document, path.linkId) }];
  });
}

/** Cards that are named as routers and choose nothing. */
function routerReports(document: CanvasDocument, { found }: TakingPart): ParticipationReport[] {
  return [...Map.groupBy(found, ({ link }) => link.from)].flatMap(([id, ways]): ParticipationReport[] => {
    const node = document.nodes[id];
    if (!node || !isWorkingAgent(node) || !namesRouter(nameOf(node))) return [];
    const usual = ways.filter(({ link }) => !link.onFailure);
    if (usual.length < 2 || usual.some(({ link }) => link.label !== undefined || link.test || link.maxRounds !== undefined)) return [];
    const params = { card: nameOf(node), count: usual.length };
    const linkIds = usual.map(({ path }) => path.linkId);
    return [{ kind: 'routesToAll', params, isLeftOut: false, nodeIds: [id], linkIds, cures: cures.routesToAll(id) }];
  });
}

function holdReports(document: CanvasDocument, { starters, linkIds }: TakingPart): ParticipationReport[] {
  const began = new Set(starters.map(({ id }) => id));
  return Object.values(document.connections).flatMap((link): ParticipationReport[] => {
    if (link.run?.hold === undefined || !began.has(link.from.agentId) || !linkIds.has(link.id)) return [];
    return [{ ...ofLink('holdsNothing', document, link), isLeftOut: false, cures: cures.holdsNothing(link) }];
  });
}
