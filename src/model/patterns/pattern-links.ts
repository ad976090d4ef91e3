import type { CanvasNode, Connection } from '../../../contract/canvas.ts';
import type { LinkSettings } from '../../../contract/executions/run-graph.ts';
import type { FlowCase } from '../../../contract/flow-templates.ts';
import { isPersonCard } from '../../../rules/card.ts';
import { newLink } from '../document/links/link-rules.ts';
import type { PlacingContext } from '../document/place-item.ts';
import type { WorkingDocument } from '../document/working-document.ts';
import { leadId, type PatternShape } from './pattern-shapes.ts';

type Linking = {
  shape: PatternShape;
  /** The ids on the canvas of the pattern's cards, and of the card before them. */
  idOf: ReadonlyMap<string, string>;
  /** The card before the pattern. */
  begin: CanvasNode | null;
  /** The link that the pattern is put into. */
  wayOn: Connection | null;
  context: Pick<PlacingContext, 'newId' | 'texts'>;
};

/**
 * Returns the links of a pattern. The link that it is put into keeps its id, and what it says of its start. Without such a link, ways out
 * of a person get the name of the person's first button.
 */
export function patternLinks(working: WorkingDocument, { shape, idOf, begin, wayOn, context }: Linking) {
  const { newId, texts } = context;
  const changed: CanvasNode[] = [];
  let said = wayOn ? saidOf(wayOn) : {};
  const [button, ...others] = (!wayOn && begin && isPersonCard(begin) && begin.step?.person?.buttons) || [];
  if (begin && button !== undefined) {
    said = { label: button };
    changed.push(withButtons(begin, others));
  }
  const idAt = (part: string) => idOf.get(part) ?? '';
  const named = (one: FlowCase | undefined): LinkSettings => (one ? { label: texts.case[one] } : {});
  const draw = (from: string, to: string, run: LinkSettings) => withRun(newLink(working, from, to, newId), run);
  const splits = shape.links.filter(({ from }) => from === leadId).length > 1;
  const links: Connection[] = [];
  for (const { from, to, case: name, maxRounds } of shape.links) {
    if (from === leadId && !begin) continue;
    const isEntry = from === leadId;
    const run = { ...(isEntry && said), ...named(name), ...(maxRounds !== undefined && { maxRounds }) };
    if (isEntry && wayOn && !splits) links.push(withRun({ ...wayOn, to: { ...wayOn.to, agentId: idAt(to) } }, run));
    else links.push(draw(idAt(from), idAt(to), run));
  }
  const target = wayOn?.to.agentId ?? (shape.end && idAt(shape.end.id));
  for (const [at, { from, case: name }] of shape.exits.entries()) {
    if (target === undefined) break;
    if (splits && wayOn && at === 0) links.push(withRun({ ...wayOn, from: { ...wayOn.from, agentId: idAt(from) } }, named(name)));
    else links.push(draw(idAt(from), target, named(name)));
  }
  return { links, changed };
}

function saidOf({ run: { label, test, hold } = {} }: Connection): LinkSettings {
  return { ...(label !== undefined && { label }), ...(test && { test }), ...(hold && { hold }) };
}

function withRun({ run: _run, ...link }: Connection, run: LinkSettings): Connection {
  return Object.keys(run).length > 0 ? { ...link, run } : link;
}

function withButtons(node: CanvasNode, buttons: readonly string[]): CanvasNode {
  const { buttons: _buttons, ...person } = node.step?.person ?? { question: '', inputs: [] };
  return { ...node, step: { ...node.step, person: { ...person, ...(buttons.length > 0 && { buttons: [...buttons] }) } } };
}
