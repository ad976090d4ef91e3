import { useCallback, useEffect, useMemo, useRef } from 'react';
import type { CanvasView } from '../../../../canvas/canvas-view.ts';
import type { DialogDrafts } from '../../../../canvas/overlay/dialog/dialog-drafts.ts';
import type { Dispatch } from '../../../../model/commands.ts';
import { isRunActive } from '../../../../model/workspace-state.ts';
import type { WorkspaceStore } from '../../../../model/workspace-store.ts';
import { mergeSources } from '../../../../state/observable.ts';
import { useObserved } from '../../../../state/use-observed.ts';
import { useDispatch, useStore, useWorkspace } from '../../../../workers/bridge/use-workspace.ts';
import { usePanels } from '../../frame/panels.tsx';
import { readNodeCounts } from '../../frame/use-node-counts.ts';
import { useWorkspaceContext } from '../../frame/workspace-context.ts';
import { lastTaskOf, type StartChoice, type StartHints, startChoice } from './start-choice.ts';

/** Returns the function that starts a run, and asks for its task where there is none. R24.01 */
export function useStartRun(): () => void {
  const dispatch = useDispatch();
  const store = useStore();
  const { view, drafts } = useWorkspaceContext();
  const { panels, show } = usePanels();
  const { team } = panels;
  return useCallback(() => {
    const choice = readStartChoice({ store, view, drafts, team });
    switch (choice.kind) {
      case 'noAgents':
        // The engine shows the problem as a notice.
        void dispatch({ type: 'run.start' });
        return;
      case 'run':
        void startDialog({ dispatch, drafts, store }, choice.dialogNodeId, choice.task);
        return;
      case 'askTask':
        show({ startQuestion: choice });
    }
  }, [dispatch, store, view, drafts, team, show]);
}

/** Returns what Start does now. */
export function useStartChoice(): StartChoice {
  const store = useStore();
  const { view, drafts } = useWorkspaceContext();
  const { team } = usePanels().panels;
  const known = useRef<{ key: string; choice: StartChoice } | null>(null);
  const sources = useMemo(() => mergeSources(store, drafts, view.partsOf('selectedNodes')), [store, view, drafts]);
  return useObserved(sources, () => {
    // Start is not offered during a run, whose changes come many times a second.
    if (known.current && isRunActive(store.getState().run)) return known.current.choice;
    const choice = readStartChoice({ store, view, drafts, team });
    const key = JSON.stringify(choice);
    if (known.current?.key !== key) known.current = { key, choice };
    return known.current.choice;
  });
}

/** Tells the engine what Start would begin with, so that what takes part is that of the chosen dialog or start card. D1.20 */
export function useForeseenStart(choice: StartChoice): void {
  const dispatch = useDispatch();
  const { demo } = useWorkspaceContext();
  const dialogNodeId = 'dialogNodeId' in choice ? choice.dialogNodeId : null;
  const startNodeId = choice.kind === 'askTask' ? choice.startNodeId : undefined;
  const asks = choice.kind === 'askTask';
  // An engine that was replaced is told again, once it can be.
  const isReady = useWorkspace((state) => state.status === 'ready');
  useEffect(() => {
    if (demo || !isReady) return;
    if (startNodeId !== undefined) void dispatch({ type: 'run.foresee', startNodeId });
    else if (dialogNodeId !== null) void dispatch({ type: 'run.foresee', dialogNodeId });
    // Neither is there: what was foreseen before no longer counts.
    else if (asks) void dispatch({ type: 'run.foresee' });
  }, [dispatch, demo, isReady, dialogNodeId, startNodeId, asks]);
}

type StartSources = { store: WorkspaceStore; view: CanvasView; drafts: DialogDrafts; team: string | null };

function readStartChoice({ store, ...sources }: StartSources): StartChoice {
  const { document, run } = store.getState();
  return startChoice(document, readNodeCounts(store), startHints(sources, lastTaskOf(run)));
}

export function startHints({ view, drafts, team }: Omit<StartSources, 'store'>, last: StartHints['last']): StartHints {
  return { selected: view.ephemeral.selectedNodes, chosen: team, draftOf: (id) => drafts.read(id), last };
}

type StartParts = { dispatch: Dispatch; drafts: DialogDrafts; store: WorkspaceStore };

/**
 * Starts a dialog's run as a message is sent: once, not while its files are added, and a refusal is said in its form. Clears the text box
 * when the task came from there. Resolves with whether the run was accepted.
 */
export function startDialog({ dispatch, drafts, store }: StartParts, dialogNodeId: string, task: string): Promise<boolean> {
  const { title = '' } = store.getState().document.nodes[dialogNodeId] ?? {};
  const start = (text: string) => {
    const inputSetId = drafts.inputSetId(dialogNodeId);
    return dispatch({ type: 'run.start', dialogNodeId, task: text, ...(inputSetId !== null && { inputSetId }) });
  };
  return drafts.send({ id: dialogNodeId, title }, start, task);
}
