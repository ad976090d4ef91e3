import { useMemo } from 'react';
import { isLocked } from '../../../model/workspace-state.ts';
import type { WorkspaceStore } from '../../../model/workspace-store.ts';
import { changeLanguage } from '../../../ui/i18n/change-language.ts';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import { useTheme } from '../../../ui/theme.tsx';
import { useDispatch, useStore } from '../../../workers/bridge/use-workspace.ts';
import { useLeaveProject } from '../account/use-leave-project.ts';
import { useShowNode } from '../camera/use-show-node.ts';
import type { ActionName } from '../frame/action-table.ts';
import { usePanels } from '../frame/panels.tsx';
import { useAskingDispatch } from '../frame/use-asking-dispatch.ts';
import { useWorkspaceContext } from '../frame/workspace-context.ts';
import { helpAddress } from '../help/help-chapters.ts';
import { useStartRun } from '../run/start/use-start-run.ts';
import { usePlace } from '../sidebar/use-place.ts';
import type { ActionHandler } from './action-handler.ts';
import { clipboardActions } from './clipboard-actions.ts';
import { editActions } from './edit-actions.ts';
import { fileActions } from './file-actions.ts';
import { selectionActions } from './selection-actions.ts';
import { useOpenNode } from './use-open-node.ts';
import { viewActions } from './view-actions.ts';
import { workspaceActions } from './workspace-actions.ts';

/** Returns the functions of all actions. */
export function useActions(): Record<ActionName, ActionHandler> {
  const store = useStore();
  const dispatch = useDispatch();
  const askingDispatch = useAskingDispatch();
  const { view, readOnly, demo, mobile, account } = useWorkspaceContext();
  const { panels, show } = usePanels();
  const { toggle } = useTheme();
  const { language } = useTranslation('actions');
  const startRun = useStartRun();
  const leave = useLeaveProject();
  const place = usePlace();
  const openNode = useOpenNode();
  const showNode = useShowNode();
  return useMemo(
    () => ({
      ...editActions({
        store,
        view,
        dispatch,
        isEditable: () => isEditable(store, readOnly),
        canHold: () => isReady(store, readOnly),
        place,
        openNode,
      }),
      ...clipboardActions({
        store,
        view,
        dispatch: askingDispatch,
        isEditable: () => isEditable(store, readOnly),
        onRefused: (problem) => show({ window: { kind: 'refused', problem } }),
      }),
      ...fileActions({ store, view, isEditable: () => isEditable(store, readOnly), show }),
      ...selectionActions({ store, view, dispatch, isEditable: () => isEditable(store, readOnly), show }),
      ...viewActions({ store, view, showNode }),
      ...workspaceActions({
        store,
        dispatch,
        readOnly,
        runs: !readOnly || demo,
        mobile,
        account,
        panels,
        show,
        startRun,
        signOut: () => leave('signOut'),
        openHelp: () => window.open(helpAddress(panels, language), '_blank', 'noopener'),
        toggleTheme: () => toggle(),
        toggleLanguage: () => void changeLanguage(language === 'ru' ? 'en' : 'ru'),
      }),
    }),
    [
      store,
      view,
      dispatch,
      askingDispatch,
      readOnly,
      demo,
      mobile,
      place,
      openNode,
      showNode,
      account,
      panels,
      show,
      startRun,
      leave,
      toggle,
      language,
    ],
  );
}

function isEditable(store: WorkspaceStore, readOnly: boolean): boolean {
  return isReady(store, readOnly) && !isLocked(store.getState().run);
}

function isReady(store: WorkspaceStore, readOnly: boolean): boolean {
  return !readOnly && store.getState().status === 'ready';
}
