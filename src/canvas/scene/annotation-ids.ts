import { isCard } from '../folding/folded-records.ts';
import type { DocumentIndex } from '../geometry/document-index.ts';

/** Ids of the document's groups and notes, without folded groups. */
export class AnnotationIds {
  readonly group = new Set<string>();
  readonly note = new Set<string>();

  get size(): number {
    return this.group.size + this.note.size;
  }

  /** Applies a change of nodes. Returns whether there were or are annotations. */
  update(changed: ReadonlySet<string> | 'all', { nodes }: DocumentIndex): boolean {
    const before = this.size;
    if (changed === 'all') {
      this.group.clear();
      this.note.clear();
    }
    for (const id of changed === 'all' ? nodes.ids : changed) {
      const node = nodes.get(id);
      const isKept = node !== null && !isCard(node);
      if (!isKept || node.type !== 'group') this.group.delete(id);
      if (!isKept || node.type !== 'note') this.note.delete(id);
      if (isKept) this[node.type === 'group' ? 'group' : 'note'].add(id);
    }
    return before > 0 || this.size > 0;
  }
}
