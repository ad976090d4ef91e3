import type { CanvasNode, Connection } from '../../../contract/canvas.ts';
import { type LinkSettings, loopRounds } from '../../../contract/executions/run-graph.ts';
import { isPersonCard, isStepCard } from '../../../rules/card.ts';
import { failed, type Outcome } from '../problem.ts';
import { leadsBackAlong } from '../run/leads-back.ts';
import { type Edited, type EditOf, edited } from './edit-command.ts';
import type { NodeTexts } from './place-item.ts';
import type { WorkingDocument } from './working-document.ts';

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
  const used = new Set([...linksFrom(working)(link.from.agentId)].flatMap(({ run }) => run?.label ?? []));
  const button = asks ? source.step?.person?.buttons?.find((label) => !used.has(label)) : undefined;
  return { links: [button === undefined ? link : withRun(link, { label: button })], nodes: [] };
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

/** A user's card asks from now on. Behind a card that works, it can send the result back there, unless it has ways already. */
export function askPerson(working: WorkingDocument, { id }: EditOf<'node.ask'>, texts: NodeTexts): Outcome<Edited> {
  const node = working.node(id);
  if (node?.type !== 'agent' || !node.isUser) return failed('node.unknown');
  if (isPersonCard(node)) return edited(null, undefined);
  const asking = { ...node, step: { ...node.step, person: personAsking(texts) } };
  const out = [...linksFrom(working)(id)];
  const cases = out.some(({ run }) => run?.label !== undefined || run?.test);
  const change = working.edit((edit) => {
    edit.setNode(asking);
    const onward = cases ? [] : out.filter(({ run }) => !run?.onFailure && run?.maxRounds === undefined);
    const back = onward.filter((link) => leadsBackAlong(link, (nodeId) => working.node(nodeId), linksFrom(working)));
    for (const link of onward) {
      const run = back.includes(link) ? { label: texts.case.change, maxRounds: loopRounds } : { label: texts.case.approve };
      edit.setLink(withRun(link, run));
    }
  });
  return edited(change, { nodeIds: [id] });
}

/** The settings of a card that asks for approval. Its button leads on, or ends the way where no link has it. */
export function personAsking({ approval, case: { approve } }: NodeTexts) {
  return { question: approval, inputs: [], buttons: [approve] };
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
  if (asks && person && leading.length === 0 && !person.buttons?.length)
    records.nodes.push({ ...source, step: { ...source.step, person: { ...person, buttons: [onward] } } });
  return records;
}

function withRun(link: Connection, run: LinkSettings): Connection {
  return { ...link, run: { ...link.run, ...run } };
}

function linksFrom(working: WorkingDocument): (nodeId: string) => Connection[] {
  return (nodeId) =>
    [...working.linksOf(nodeId)].flatMap((id) => {
      const link = working.link(id);
      return link?.from.agentId === nodeId ? [link] : [];
    });
}
