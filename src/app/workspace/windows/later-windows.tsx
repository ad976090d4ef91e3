import { Suspense, useEffect, useRef, useState } from 'react';
import { lazyPart, type NotLoadedProps } from '../../../ui/loading/lazy-part.tsx';
import { PartNotLoaded } from '../../../ui/loading/part-not-loaded.tsx';
import { whenIdle } from '../../../ui/loading/when-idle.ts';
import { loadMotion } from '../../../ui/motion/load-motion.ts';
import { useWorkspace } from '../../../workers/bridge/use-workspace.ts';
import { loadLaterTabs } from '../console/later-tabs.ts';
import { usePanels, type WorkspaceWindow } from '../frame/panels.tsx';
import { useWorkspaceContext } from '../frame/workspace-context.ts';
import type { WindowsProps } from './windows.tsx';

const kinds: readonly WorkspaceWindow['kind'][] = [
  'shortcuts',
  'picture',
  'startNode',
  'import',
  'refused',
  'agentRoom',
  'questions',
  'person',
  'cards',
];

const Windows = lazyPart<WindowsProps>(() => import('./windows.tsx').then((file) => file.Windows), WindowsNotLoaded);

/**
 * The windows and the canvas's menu. Their script loads when the browser is idle or when one of them is opened. It also has the console's
 * other tabs and the animations.
 */
export function LaterWindows(props: WindowsProps) {
  const isAsked = useIsAsked(props);
  const isIdle = useIsIdleAfterOpening();
  useEffect(() => {
    if (!isIdle) return;
    loadLaterTabs();
    loadMotion();
  }, [isIdle]);
  const isWanted = useRef(false);
  if (isAsked || isIdle) isWanted.current = true;
  return <Suspense fallback={null}>{isWanted.current && <Windows {...props} />}</Suspense>;
}

function useIsAsked({ menu }: WindowsProps): boolean {
  const { panels } = usePanels();
  const hasWindow = panels.window !== null && kinds.includes(panels.window.kind);
  return hasWindow || panels.settingsAgentId !== null || panels.startQuestion !== null || menu !== null;
}

/** Whether the browser was idle since the project is open; in the demonstration since its first step. */
function useIsIdleAfterOpening(): boolean {
  const { demo } = useWorkspaceContext();
  const isOpen = useWorkspace(({ status, run }) => status === 'ready' && (!demo || run.steps.some((step) => step.status === 'running')));
  const [isIdle, setIdle] = useState(false);
  useEffect(() => {
    if (isOpen) return whenIdle(() => setIdle(true));
  }, [isOpen]);
  return isIdle;
}

/** A placeholder of an open window whose script is loading. Opening it again loads it again after a failure. */
function WindowsNotLoaded({ retry, isRetrying, part }: NotLoadedProps<WindowsProps>) {
  const { show } = usePanels();
  const isAsked = useIsAsked(part);
  const wasClosed = useRef(!isAsked);
  useEffect(() => {
    if (isAsked && wasClosed.current) void retry();
    wasClosed.current = !isAsked;
  }, [isAsked, retry]);
  if (!isAsked) return null;
  const close = () => {
    show({ window: null, settingsAgentId: null, startQuestion: null });
    part.onCloseMenu();
  };
  return <PartNotLoaded floating retry={retry} isRetrying={isRetrying} onClose={close} />;
}
