import type { CanvasView } from '../../../canvas/canvas-view.ts';
import { writeCanvasText } from '../../../model/document/write-canvas-text.ts';
import type { WorkspaceStore } from '../../../model/workspace-store.ts';
import type { Panels } from '../frame/panels.tsx';
import { saveFile } from '../frame/save-file.ts';
import type { ActionHandler } from './action-handler.ts';

type FileParts = {
  store: WorkspaceStore;
  view: CanvasView;
  isEditable: () => boolean;
  show: (changes: Partial<Panels>) => void;
};

/** The actions that save and open files. With a selection only the selection is saved. */
export function fileActions({ store, view, isEditable, show }: FileParts): Record<'saveJson' | 'openJson' | 'savePicture', ActionHandler> {
  return {
    saveJson: {
      can: () => Object.keys(store.getState().document.nodes).length > 0,
      run: () => {
        const { document, project } = store.getState();
        const { selectedNodes } = view.ephemeral;
        const ids = selectedNodes.size > 0 ? selectedNodes : new Set(Object.keys(document.nodes));
        saveFile(new Blob([writeCanvasText(document, ids)], { type: 'application/json' }), `${fileName(project?.name)}.json`);
      },
    },
    savePicture: {
      can: () => Object.keys(store.getState().document.nodes).length > 0,
      run: () => show({ window: { kind: 'picture' } }),
    },
    openJson: {
      can: isEditable,
      run: async () => {
        const file = await chooseFile('application/json,.json,.yml,.yaml');
        if (file) show({ window: { kind: 'import', name: file.name, text: await file.text() } });
      },
    },
  };
}

/** Converts a project's name into a file name. */
export function fileName(name: string | undefined): string {
  return (name ?? '').replace(/[^\p{L}\p{N} _-]+/gu, '').trim() || 'canvas';
}

/** Opens the browser's file dialog; returns null when it is cancelled. */
function chooseFile(accept: string): Promise<File | null> {
  return new Promise((resolve) => {
    const input = document.createElement('input');
    input.type = 'file';
    input.accept = accept;
    input.onchange = () => resolve(input.files?.[0] ?? null);
    input.oncancel = () => resolve(null);
    input.click();
  });
}
