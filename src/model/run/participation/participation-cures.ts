import type { CanvasDocument, CanvasNode, Connection } from '../../../../contract/canvas.ts';
import { isAgentOrPerson, isDialog, nameOf } from '../../../../rules/card.ts';
import { linksForward } from '../plan/run-scope.ts';
import { byPlace } from '../starters/resolve-dialog-target.ts';
import type { Cure, ParticipationCure, TakingPart } from './participation-state.ts';

const maxIdLength = 200;

/** What mends each kind of report. Each is one command, and one step of undo. */
export const cures = {
  linkBack: (link: Connection): ParticipationCure[] => [
    { kind: 'makeLoop', command: { type: 'link.loop', id: link.id } },
    { kind: 'removeLink', command: removal([link]) },
  ],
  /** Each entry may go, so that one card is left at which the cycle is entered. */
  twoEntries: ({ nodes }: CanvasDocument, entries: readonly Connection[]): ParticipationCure[] => {
    const name = (id: string) => (nodes[id] ? nameOf(nodes[id]) : id);
    return [...Map.groupBy(entries, ({ to }) => to.agentId).values()].map((links) => ({
      kind: 'removeEntry',
      params: { from: name(links[0]?.from.agentId ?? ''), to: name(links[0]?.to.agentId ?? '') },
      command: removal(links),
    }));
  },
  /** Behind the last card of the run, or before its first ones. */
  noWayIn: (document: CanvasDocument, { scope, starters, found, nodeIds }: TakingPart) => {
    const { nodes } = document;
    const [starter] = starters;
    const leading = new Set(found.flatMap(({ link }) => (link.maxRounds === undefined ? link.from : [])));
    const steps = [...nodeIds].flatMap((id) => (isAgentOrPerson(nodes[id]) && !leading.has(id) ? nodes[id] : []));
    const last = steps.sort(byPlace).at(-1) ?? starter;
    const led = found.filter(({ link }) => link.from === starter?.id).map(({ link }) => link.to);
    const firsts = led.length > 0 ? led : scope.target ? [scope.target.id] : [];
    const before = last ? leadingTo(document, last.id) : new Set();
    return (id: string): ParticipationCure[] => {
      const node = nodes[id];
      if (!starter || !last || !isAgentOrPerson(node)) return [];
      // A newly placed person has nothing to approve before the first card.
      const isNew = (node.step?.person?.buttons ?? []).length > 0;
      return [
        ...(before.has(id) ? [] : [{ kind: 'linkIt' as const, command: { type: 'link.add' as const, from: last.id, to: id } }]),
        ...(isNew ? [] : linked('runFirst', document, [[starter.id, id], ...firsts.map((first): [string, string] => [id, first])])),
        { kind: 'leaveOut', command: { type: 'node.update', id, changes: { disabled: true } } },
      ];
    };
  },
  onlyShown: ({ id }: CanvasNode): ParticipationCure[] => [
    { kind: 'askPerson', command: { type: 'node.ask', id } },
    { kind: 'leaveOut', command: { type: 'node.update', id, changes: { disabled: true } } },
  ],
  disabled: ({ id }: CanvasNode): ParticipationCure[] => [
    { kind: 'takeIn', command: { type: 'node.update', id, changes: { disabled: undefined } } },
  ],
  otherStart: (starter: CanvasNode): ParticipationCure[] => [
    { kind: 'runThis', command: { type: 'run.foresee', [isDialog(starter) ? 'dialogNodeId' : 'startNodeId']: starter.id } },
  ],
  /** Labels end a loop where the card at its end has another link, or may have another button. Else nothing ends it. */
  loopAlways: ({ connections, nodes }: CanvasDocument, id: string): ParticipationCure[] => {
    const source = connections[id]?.from.agentId ?? '';
    const goesOn = Object.values(connections).some(
      (other) => other.id !== id && other.from.agentId === source && !other.run?.onFailure && other.run?.maxRounds === undefined,
    );
    const isPerson = nodes[source]?.step?.person !== undefined;
    const link = connections[id];
    if (goesOn || isPerson) return [{ kind: 'labelLoop', command: { type: 'link.loop', id } }];
    return link ? [{ kind: 'removeLink', command: removal([link]) }] : [];
  },
  routesToAll: (id: string): ParticipationCure[] => [{ kind: 'makeChoice', command: { type: 'node.choose', id } }],
  passesNothing: (link: Connection): ParticipationCure[] => [{ kind: 'removeLink', command: removal([link]) }],
  holdsNothing: ({ id }: Connection): ParticipationCure[] => [
    { kind: 'removeHold', command: { type: 'link.update', id, changes: { hold: undefined } } },
  ],
};

function removal(links: readonly Connection[]) {
  return { type: 'selection.remove' as const, nodeIds: [], connectionIds: links.map(({ id }) => id) };
}

/** The cards that lead to a card, itself too. A link back to one of them would close a circle. */
function leadingTo(document: CanvasDocument, id: string): ReadonlySet<string> {
  const into = Map.groupBy(linksForward(document), ({ to }) => to.agentId);
  const seen = new Set([id]);
  // A set is iterated in the order in which it grows.
  for (const one of seen) for (const { from } of into.get(one) ?? []) seen.add(from.agentId);
  return seen;
}

/** Returns the cure that draws these links, as far as they are not there; none where all are. */
function linked(kind: Cure, { connections }: CanvasDocument, pairs: readonly [from: string, to: string][]): ParticipationCure[] {
  const taken = new Set(Object.keys(connections));
  const known = Object.values(connections);
  const missing = pairs.filter(([from, to]) => !known.some((link) => link.from.agentId === from && link.to.agentId === to));
  const drawn = missing.map(([from, to]): Connection => {
    const id = freeId(`conn-${from}-${to}`, taken);
    taken.add(id);
    return { id, from: { agentId: from, port: 'out' }, to: { agentId: to, port: 'in' } };
  });
  return drawn.length > 0 ? [{ kind, command: { type: 'node.add', nodes: [], connections: drawn } }] : [];
}

/** A link whose end was drawn elsewhere keeps its id, so the id that two cards give may be taken. */
function freeId(named: string, taken: ReadonlySet<string>): string {
  const fits = (id: string) => id.length <= maxIdLength && !taken.has(id);
  let id = named;
  for (let number = 2; !fits(id); number += 1) id = `${named.slice(0, maxIdLength - 20)}~${number}`;
  return id;
}
