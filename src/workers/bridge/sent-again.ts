import type { Command, DocumentCommand } from '../../model/commands.ts';

/**
 * The commands that are sent to the next engine when theirs dies before it has shown anything of them: they change the document only, which the next engine has
 * as the page shows it. Any other may have reached the server, and is reported.
 */
const documentCommands: Readonly<Record<DocumentCommand['type'], true>> = {
  'node.add': true,
  'node.place': true,
  'pattern.place': true,
  'nodes.paste': true,
  'canvas.replace': true,
  'canvas.restore': true,
  'nodes.group': true,
  'nodes.layout': true,
  'nodes.duplicate': true,
  'node.insert': true,
  'node.move': true,
  'node.update': true,
  'nodes.set': true,
  'nodes.disable': true,
  'nodes.align': true,
  'nodes.distribute': true,
  'nodes.join': true,
  'selection.remove': true,
  'node.ask': true,
  'node.choose': true,
  'link.add': true,
  'link.end': true,
  'link.loop': true,
  'link.update': true,
  'links.hold': true,
  'history.undo': true,
  'history.redo': true,
};

export function isSentAgain({ type }: Command): boolean {
  return Object.hasOwn(documentCommands, type);
}
