import { type CanvasNode, type Connection, connection } from '../../../../contract/canvas.ts';
import type { LinkSettings } from '../../../../contract/executions/run-graph.ts';
import { isAnnotation } from '../../../../rules/card.ts';
import { failed, type Outcome } from '../../problem.ts';
import { waysOn } from '../../run/link-meaning.ts';
import { isSame } from '../document-differences.ts';
import { changedFields, type Edited, type EditOf, edited } from '../edit-command.ts';
import type { PlacingContext } from '../place-item.ts';
import type { WorkingDocument } from '../working-document.ts';
import { canHold } from './hold-links.ts';
import { linkProblem, newLink } from './link-rules.ts';
import { changeBack, drawnLink, isNewPerson, linksFrom } from './loop-commands.ts';

/** The first link to a newly placed person comes with the link back, along which the person asks for a change. */
export function addLink(working: WorkingDocument, { from, to }: EditOf<'link.add'>, context: LinkContext): Outcome<Edited> {
  const problem = linkProblem(working, from, to);
  if (problem) return { ok: false, error: problem };
  const { links, nodes } = drawnLink(working, newLink(working, from, to, context.newId), context.texts);
  const target = working.node(to);
  const back = isNewPerson(working, target) ? changeBack(working, working.node(from), target, context) : [];
  const change = working.edit((edit) => {
    for (const link of [...links, ...back]) edit.setLink(link);
    for (const node of nodes) edit.setNode(node);
  });
  const [drawn] = links;
  const isLoop = drawn?.run?.maxRounds !== undefined;
  return edited(change, { connectionIds: drawn ? [drawn.id] : [], ...(isLoop && { loopIds: [drawn.id] }) });
}

type LinkContext = Pick<PlacingContext, 'newId' | 'texts'>;

/** A link without settings has no `run`, like one that was never changed. */
export function updateLink(working: WorkingDocument, { id, changes, wayOn }: EditOf<'link.update'>): Outcome<Edited> {
  const link = working.link(id);
  if (!link) return failed('link.unknown');
  const next = connection.safeParse(withSettings(link, changes));
  if (!next.success) return failed('link.unfit');
  const onward = wayOn === undefined ? [] : waysOn(linksFrom(working)(link.from.agentId), link);
  const named = onward.map((one) => withSettings(one, { label: wayOn || undefined }));
  const changed = [next.data, ...named].filter((one) => !isSame(working.link(one.id)?.run ?? {}, one.run ?? {}));
  if (!changed.every((one) => connection.safeParse(one).success)) return failed('link.unfit');
  if (changed.length === 0) return edited(null, undefined);
  const change = working.edit((edit) => {
    for (const one of changed) edit.setLink(one);
  });
  return edited(change, undefined);
}

export function holdLinks(working: WorkingDocument, { ids, hold }: EditOf<'links.hold'>): Outcome<Edited> {
  const change = working.edit((edit) => {
    for (const id of ids) {
      const link = working.link(id);
      if (link && link.run?.hold !== hold && (hold === undefined || canHold(link, working.node(link.from.agentId))))
        edit.setLink(withSettings(link, { hold }));
    }
  });
  return edited(change, undefined);
}

function withSettings({ run = {}, ...plain }: Connection, changes: Partial<LinkSettings>): Connection {
  const settings = changedFields(run, Object.entries(changes));
  return Object.keys(settings).length > 0 ? { ...plain, run: settings } : plain;
}

/** Returns the code of the reason why a link that comes with new nodes may not be added; null if it may. */
export function addedLinkProblem(
  working: WorkingDocument,
  link: Connection,
  coming: ReadonlyMap<string, CanvasNode>,
  pairs: Set<string>,
): string | null {
  const { from, to } = { from: link.from.agentId, to: link.to.agentId };
  const pair = JSON.stringify([from, to]);
  if (working.link(link.id) || pairs.has(link.id)) return 'link.idTaken';
  if (!coming.has(from) && !working.node(from)) return 'link.sourceMissing';
  if (!coming.has(to) && !working.node(to)) return 'link.targetMissing';
  if (from === to) return 'link.self';
  if ([from, to].some((id) => isAnnotation((coming.get(id) ?? working.node(id)) as CanvasNode))) return 'link.annotation';
  if (pairs.has(pair) || linkProblem(working, from, to)?.code === 'link.duplicate') return 'link.duplicate';
  pairs.add(pair).add(link.id);
  return null;
}
