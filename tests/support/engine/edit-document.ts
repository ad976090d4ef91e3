import type { Agent } from '../../../contract/agent.ts';
import type { CanvasDocument } from '../../../contract/canvas.ts';
import english from '../../../locales/en/content/nodes.json' with { type: 'json' };
import { applyDocumentCommand } from '../../../src/model/document/document-command.ts';
import type { EditCommand, SelectionCommand } from '../../../src/model/document/edit-command.ts';
import { applySelectionCommand } from '../../../src/model/document/selection-commands.ts';
import { WorkingDocument } from '../../../src/model/document/working-document.ts';
import type { PatternId } from '../../../src/model/patterns/pattern-ids.ts';
import { placePattern } from '../../../src/model/patterns/place-pattern.ts';
import { chainDocument, team } from './samples.ts';

const texts = {
  ...english,
  goal: 'Goal',
  person: 'You',
  approval: 'May it ship?',
  case: { accepted: 'accepted', rework: 'rework', approve: 'approve', change: 'change', simple: 'simple', complex: 'complex' },
};

/** A document on which `does` carries out commands. New nodes and links get the ids `made-1`, `made-2` and so on. */
export function editDocument(document: CanvasDocument = chainDocument(), menu: readonly Agent[] = team) {
  const agents = { byId: Object.fromEntries(menu.map((agent) => [agent.id, agent])), order: menu.map(({ id }) => id) };
  let made = 0;
  const working = new WorkingDocument(document);
  const newId = () => {
    // A command may have added a card with this id, and an id is never made twice.
    do made += 1;
    while (working.node(`made-${made}`));
    return `made-${made}`;
  };
  const context = { agents, texts, newId };
  return {
    working,
    places: (patternId: PatternId, at: { after?: string; at?: { x: number; y: number } } = {}) =>
      placePattern(working, { type: 'pattern.place', patternId, ...at }, context),
    does: (command: EditCommand | SelectionCommand) =>
      isOfSelection(command) ? applySelectionCommand(working, command, context) : applyDocumentCommand(working, command, context),
  };
}

const ofSelection: readonly string[] = [
  'nodes.set',
  'nodes.disable',
  'nodes.layout',
  'nodes.align',
  'nodes.distribute',
  'link.end',
  'node.insert',
] satisfies SelectionCommand['type'][];

export function isOfSelection(command: EditCommand | SelectionCommand): command is SelectionCommand {
  return ofSelection.includes(command.type);
}
