import { type RefObject, useEffect, useState } from 'react';
import { isDialog } from '../../../../rules/card.ts';
import type { WorkspaceStore } from '../../../model/workspace-store.ts';
import type { CanvasView, EphemeralState } from '../../canvas-view.ts';
import { touchedBy } from '../../geometry/touched.ts';
import { followDrawn } from '../follow-drawn.ts';
import { canBeWrittenIn, dialogsInView } from './dialogs-in-view.ts';

/**
 * Returns the dialogs whose forms are mounted, and moves `layer` with the camera. A camera change renders nothing: it moves the
 * layer. A focused form stays mounted while it is large enough to type in.
 */
export function useDialogsInView(layer: RefObject<HTMLElement | null>, store: WorkspaceStore, view: CanvasView): readonly string[] {
  const [shown, setShown] = useState<readonly string[]>([]);
  useEffect(() => {
    const dialogs = new Set<string>();
    let current: readonly string[] = [];

    const readAll = () => {
      dialogs.clear();
      const { nodes } = store.getState().document;
      for (const id in nodes) if (isDialog(nodes[id])) dialogs.add(id);
    };
    const refresh = () => {
      if (dialogs.size === 0 && current.length === 0) return;
      const { ephemeral } = view;
      const inView = dialogsInView(dialogs, store.getState().document, ephemeral);
      const focused = layer.current?.contains(document.activeElement) ? focusedDialog(document.activeElement) : null;
      if (focused && dialogs.has(focused) && !inView.includes(focused) && canBeWrittenIn(ephemeral)) inView.push(focused);
      if (inView.length !== current.length || inView.some((id, i) => id !== current[i])) {
        const wereNone = current.length === 0;
        current = inView;
        setShown(inView);
        if (wereNone) place(ephemeral);
      }
    };
    const place = ({ camera: { x, y, zoom } }: EphemeralState) => {
      if (current.length > 0 && layer.current) layer.current.style.transform = `translate(${x}px, ${y}px) scale(${zoom})`;
    };

    readAll();
    refresh();
    const stopStore = store.subscribe((state, patches) => {
      const touched = patches ? touchedBy(patches).nodes : 'all';
      if (touched === 'all') readAll();
      else {
        for (const id of touched) {
          if (isDialog(state.document.nodes[id])) dialogs.add(id);
          else dialogs.delete(id);
        }
        if (touched.size === 0) return;
      }
      refresh();
    });
    const stopDrawn = followDrawn(view, ['camera'], place);
    const stopView = view.subscribe((_state, changed) => {
      if (changed.has('camera') || changed.has('size') || changed.has('drag')) refresh();
    });
    return () => {
      stopStore();
      stopDrawn();
      stopView();
    };
  }, [layer, store, view]);
  return shown;
}

function focusedDialog(element: Element | null): string | null {
  return element?.closest<HTMLElement>('[data-dialog-id]')?.dataset.dialogId ?? null;
}
