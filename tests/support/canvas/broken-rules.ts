import type { CanvasNode } from '../../../contract/canvas.ts';
import { CheckedDocument, type KnownAgent, type UncheckedLink, type ValidationProblem } from '../../../rules/checked-document.ts';

/** Returns every rule that a document breaks. Without a list of server agents the rules about them are skipped. */
export function brokenRules(
  { nodes, connections }: { nodes: Record<string, CanvasNode>; connections: Record<string, UncheckedLink> },
  agents: readonly KnownAgent[] | null,
): ValidationProblem[] {
  return new CheckedDocument(agents, Object.entries(nodes), Object.entries(connections)).problems();
}
