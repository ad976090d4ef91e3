import type { CanvasNode } from '../../contract/canvas.ts';
import texts from '../../locales/en/content/nodes.json' with { type: 'json' };
import { applyDocumentCommand } from '../../src/model/document/document-command.ts';
import { WorkingDocument } from '../../src/model/document/working-document.ts';
import { emptyWorkspace, type WorkspaceState } from '../../src/model/workspace-state.ts';
import { applyUpdate } from '../../src/workers/bridge/replica.ts';
import type { Candidate } from './candidate.ts';

/** The product's way: plain records, edited one by one in the engine and on the page. */
export const product: Candidate = {
  name: 'plain records, edited by record (the product)',
  open(document) {
    const working = new WorkingDocument(structuredClone(document));
    let page: WorkspaceState = { ...emptyWorkspace, document: structuredClone(document) };
    const context = {
      agents: { byId: {}, order: [] },
      texts,
      newId: () => 'id',
    };
    return {
      edit(id, x, y) {
        const edited = applyDocumentCommand(working, { type: 'node.move', moves: [{ id, x, y }] }, context);
        const patches = (edited.ok && edited.value.change?.patches) || [];
        return patches.map((patch) => ({ ...patch, path: ['document', ...patch.path] }));
      },
      apply(patches) {
        page = applyUpdate(page, patches).state;
      },
      shown: (id) => page.document.nodes[id] as CanvasNode,
    };
  },
};
