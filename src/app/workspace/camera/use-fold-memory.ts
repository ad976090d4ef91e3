import { useEffect, useRef } from 'react';
import { z } from 'zod';
import type { CanvasDocument } from '../../../../contract/canvas.ts';
import { isGroup } from '../../../../rules/card.ts';
import { readStored, writeStored } from '../../../ui/stored-preference.ts';
import { useStore, useWorkspace } from '../../../workers/bridge/use-workspace.ts';
import { useWorkspaceContext } from '../frame/workspace-context.ts';

/**
 * Opens a project with the groups folded that this browser has stored, and stores them after each change. They belong to the viewer. This
 * part of the page may load after the first group is folded: that fold stays, and is stored too.
 */
export function useFoldMemory(): void {
  const { view } = useWorkspaceContext();
  const store = useStore();
  const projectId = useWorkspace((state) => (state.status === 'ready' ? (state.project?.id ?? null) : null));
  const hasOpened = useRef(false);
  useEffect(() => {
    if (projectId === null) return;
    const early = hasOpened.current ? [] : view.ephemeral.folded;
    hasOpened.current = true;
    const folded = new Set([...readFolds(projectId), ...early]);
    view.update({ folded });
    const keep = () => writeFolds(projectId, view.ephemeral.folded, store.getState().document);
    if (folded.size > 0) keep();
    return view.subscribe((_state, changed) => {
      if (changed.has('folded')) keep();
    });
  }, [view, store, projectId]);
}

const foldsKey = (projectId: string) => `folds:${projectId}`;
const storedFolds = z.array(z.string());

function readFolds(projectId: string): string[] {
  try {
    const parsed = storedFolds.safeParse(JSON.parse(readStored(foldsKey(projectId)) ?? '[]'));
    return parsed.success ? parsed.data : [];
  } catch {
    return [];
  }
}

/** Removed groups are left out. */
function writeFolds(projectId: string, folded: ReadonlySet<string>, { nodes }: CanvasDocument): void {
  writeStored(foldsKey(projectId), JSON.stringify([...folded].filter((id) => isGroup(nodes[id]))));
}
