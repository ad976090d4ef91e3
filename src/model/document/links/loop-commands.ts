import type { CanvasNode, Connection } from '../../../../contract/canvas.ts';
import { loopRounds } from '../../../../contract/executions/link-values.ts';
import { type LinkSettings, linkLabelMaxLength } from '../../../../contract/executions/run-graph.ts';
import { isAgentOrPerson, isAnnotation, isPersonCard, isStepCard, nameOf } from '../../../../rules/card.ts';
import { failed, type Outcome } from '../../problem.ts';
import { leadsBackAlong } from '../../run/leads-back.ts';
import { type Edited, type EditOf, edited } from '../edit-command.ts';
import { type NodeTexts, type PlacingContext, personAsking } from '../place-item.ts';
import type { WorkingDocument } from '../working-document.ts';
import { newLink } from './link-rules.ts';

/** Records that make one change. */
type Records = { links: Connection[]; nodes: CanvasNode[] };

/**
 * A link as it is drawn, with what changes beside it. One that leads back becomes a review loop. A link of a person that asks gets the name
 * of one of the person's buttons.
 */
export function drawnLink(working: WorkingDocument, link: Connection, texts: NodeTexts): Records {
  const source = working.node(link.from.agentId);
  const asks = source !== undefined && isPersonCard(source);
  if (leadsBackAlong(link, (id) => working.node(id), linksFrom(working)))
    return asks ? loopOf(working, link, texts) : { links: [withRun(link, { maxRounds: loopRounds })], nodes: [] };
  return asks ? withButton(source, link) : { links: [link], nodes: [] };
}

/** A link that leads on from a person gets a button that no link has. The button is the link's from now on: who renames the link renames the button. */
export function withButton(person: CanvasNode, link: Connection): Records {
  const [button, ...left] = person.step?.person?.buttons ?? [];
  return button === undefined
    ? { links: [link], nodes: [] }
    : { links: [withRun(link, { label: button })], nodes: [withButtons(person, left)] };
}

function withButtons(node: CanvasNode, buttons: readonly string[]): CanvasNode {
  const { buttons: _buttons, ...person } = node.step?.person ?? { question: '', inputs: [] };
  return { ...node, step: { ...node.step, person: { ...person, ...(buttons.length > 0 && { buttons: [...buttons] }) } } };
}

export function makeLoop(working: WorkingDocument, { id }: EditOf<'link.loop'>, texts: NodeTexts): Outcome<Edited> {
  const link = working.link(id);
  if (!link) return failed('link.unknown');
  if (!leadsBackAlong(link, (nodeId) => working.node(nodeId), linksFrom(working))) return failed('link.notBack');
  const { links, nodes } = loopOf(working, link, texts);
  const change = working.edit((edit) => {
    for (const one of links) edit.setLink(one);
    for (const one of nodes) edit.setNode(one);
  });
  return edited(change, { connectionIds: [id], loopIds: [id] });
}

/** A user's card asks from now on. Its links are its buttons: those that lead on approve, and those that lead back ask for a change. */
export function askPerson(working: WorkingDocument, { id }: EditOf<'node.ask'>, texts: NodeTexts): Outcome<Edited> {
  const node = working.node(id);
  if (!isAgentOrPerson(node) || !node.isUser) return failed('node.unknown');
  if (isPersonCard(node)) return edited(null, undefined);
  const out = linksFrom(working)(id);
  const cases = out.some(({ run }) => run?.label !== undefined || run?.test);
  const plain = cases ? [] : out.filter(({ run }) => !run?.onFailure && run?.maxRounds === undefined);
  const back = new Set(plain.filter((link) => leadsBackAlong(link, (nodeId) => working.node(nodeId), linksFrom(working))));
  const asking = { ...node, step: { ...node.step, person: personAsking(texts) } };
  const change = working.edit((edit) => {
    edit.setNode(cases || plain.length > back.size ? withButtons(asking, []) : asking);
    for (const link of plain)
      edit.setLink(withRun(link, back.has(link) ? { label: texts.case.change, maxRounds: loopRounds } : { label: texts.case.approve }));
  });
  return edited(change, { nodeIds: [id] });
}

/** Each link that leads on without a case gets the name of its card; two cards with one name are numbered. */
export function nameChoice(working: WorkingDocument, { id }: EditOf<'node.choose'>): Outcome<Edited> {
  if (!working.node(id)) return failed('node.unknown');
  const out = linksFrom(working)(id);
  const taken = new Set(out.flatMap(({ run }) => run?.label ?? []));
  const unnamed = out.filter(({ run }) => run?.label === undefined && !run?.test && !run?.onFailure && run?.maxRounds === undefined);
  const change = working.edit((edit) => {
    for (const link of unnamed) {
      const target = working.node(link.to.agentId);
      const label = freeName(target ? nameOf(target) : link.to.agentId, taken);
      taken.add(label);
      edit.setLink(withRun(link, { label }));
    }
  });
  return edited(change, { connectionIds: unnamed.map((link) => link.id) });
}

function freeName(wanted: string, taken: ReadonlySet<string>): string {
  let name = wanted.slice(0, linkLabelMaxLength).trim();
  for (let number = 2; taken.has(name); number += 1) name = `${wanted.slice(0, linkLabelMaxLength - 4).trim()} ${number}`;
  return name;
}

/** The links of a card that is placed behind another one. A person that asks can send the result back to a card that works. */
export function linksBehind(
  working: WorkingDocument,
  after: string,
  placed: CanvasNode,
  context: Pick<PlacingContext, 'texts' | 'newId'>,
): Records {
  const { texts, newId } = context;
  const source = working.node(after);
  if (!source || isAnnotation(source) || isAnnotation(placed)) return { links: [], nodes: [] };
  const records = drawnLink(working, newLink(working, after, placed.id, newId), texts);
  records.links.push(...changeBack(working, source, placed, context));
  return records;
}

/** The link along which a newly placed person sends a result back to the card that works before it. */
export function changeBack(
  working: WorkingDocument,
  source: CanvasNode | undefined,
  person: CanvasNode | undefined,
  { texts, newId }: Pick<PlacingContext, 'texts' | 'newId'>,
): Connection[] {
  if (!source || !person || !isPersonCard(person) || !isStepCard(source)) return [];
  return [withRun(newLink(working, person.id, source.id, newId), { label: texts.case.change, maxRounds: loopRounds })];
}

/** Whether a person asks with a button that no link has yet, and has no links: so it is placed. */
export function isNewPerson(working: WorkingDocument, node: CanvasNode | undefined): node is CanvasNode {
  return (
    node !== undefined && isPersonCard(node) && (node.step?.person?.buttons ?? []).length > 0 && [...working.linksOf(node.id)].length === 0
  );
}

/** The link as a review loop, with names for the ways out of its start where they have none. */
function loopOf(working: WorkingDocument, link: Connection, texts: NodeTexts): Records {
  const source = working.node(link.from.agentId);
  const rounds = { maxRounds: link.run?.maxRounds ?? loopRounds };
  const records: Records = { links: [withRun(link, rounds)], nodes: [] };
  if (!source || !isStepCard(source)) return records;
  const others = [...linksFrom(working)(source.id)].filter(({ id, run }) => id !== link.id && !run?.onFailure);
  // Beside tests, the link without one is the way for all other answers.
  if (link.run?.test || others.some(({ run }) => run?.test)) return records;
  const asks = isPersonCard(source);
  const [again, onward] = asks ? [texts.case.change, texts.case.approve] : [texts.case.rework, texts.case.accepted];
  const labels = new Set(others.flatMap(({ run }) => run?.label ?? []));
  if (link.run?.label === undefined && !labels.has(again)) records.links = [withRun(link, { ...rounds, label: again })];
  if (labels.size > 0) return records;
  const leading = others.filter(({ run }) => run?.maxRounds === undefined);
  records.links.push(...leading.map((one) => withRun(one, { label: onward })));
  const { person } = source.step ?? {};
  if (asks && person && leading.length === 0 && !person.buttons?.length) records.nodes.push(withButtons(source, [onward]));
  return records;
}

function withRun(link: Connection, run: LinkSettings): Connection {
  return { ...link, run: { ...link.run, ...run } };
}

/** Returns the links out of each card. */
export function linksFrom(working: WorkingDocument): (nodeId: string) => Connection[] {
  return (nodeId) =>
    [...working.linksOf(nodeId)].flatMap((id) => {
      const link = working.link(id);
      return link?.from.agentId === nodeId ? [link] : [];
    });
}
