import { applyPatches, produceWithPatches } from 'immer';
import type { CanvasNode } from '../../contract/canvas.ts';
import type { Candidate } from './candidate.ts';

/** Records by id in one object a collection, immer on both sides. */
export const plainRecords: Candidate = {
  name: 'plain records, immer on both sides',
  open(document) {
    let engine = structuredClone(document);
    let page = structuredClone(document);
    return {
      edit(id, x, y) {
        const [next, patches] = produceWithPatches(engine, (draft) => {
          Object.assign(draft.nodes[id] as CanvasNode, { x, y });
        });
        engine = next;
        return patches;
      },
      apply(patches) {
        page = applyPatches(page, patches);
      },
      shown: (id) => page.nodes[id] as CanvasNode,
    };
  },
};
