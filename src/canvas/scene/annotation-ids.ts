import { isGroup } from '../../../rules/card.ts';
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
      const home = node === null || isCard(node) ? null : isGroup(node) ? this.group : this.note;
      if (home !== this.group) this.group.delete(id);
      if (home !== this.note) this.note.delete(id);
      home?.add(id);
    }
    return before > 0 || this.size > 0;
  }
}
