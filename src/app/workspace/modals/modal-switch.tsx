import { Suspense, useRef } from 'react';
import { lazyPart } from '../../../ui/loading/lazy-part.tsx';
import { usePanels, type WorkspaceWindow } from '../panels.tsx';
import { useWorkspaceContext } from '../workspace-context.ts';
import { windowNotLoaded } from './window-not-loaded.tsx';

const teamWindows: readonly WorkspaceWindow['kind'][] = ['newAgent', 'addAgent', 'buyAgent', 'inviteMember', 'addUser'];
const projectWindows: readonly WorkspaceWindow['kind'][] = ['projectForm', 'projectRemoval'];
const toolWindows: readonly WorkspaceWindow['kind'][] = ['tools'];
const connectionWindows: readonly WorkspaceWindow['kind'][] = ['connections'];
export const accountWindows: readonly WorkspaceWindow['kind'][] = ['account', 'leave', 'connect', 'triggers'];

const Modals = lazyPart(() => import('./modals.tsx').then((file) => file.Modals), windowNotLoaded(teamWindows));
const ProjectWindows = lazyPart(
  () => import('../projects/project-windows.tsx').then((file) => file.ProjectWindows),
  windowNotLoaded(projectWindows),
);
const ToolsWindow = lazyPart(() => import('../tools/tools-window.tsx').then((file) => file.ToolsWindow), windowNotLoaded(toolWindows));
const ConnectionsWindow = lazyPart(
  () => import('../connections/connections-window.tsx').then((file) => file.ConnectionsWindow),
  windowNotLoaded(connectionWindows),
);

/**
 * The windows about the team, the tools, the connections, the projects and the account, each kind loaded when first needed. A reader has none
 * that changes the project. R43
 */
export function ModalSwitch() {
  const { readOnly, account } = useWorkspaceContext();
  const team = useOpenedOnce(teamWindows);
  const projects = useOpenedOnce(projectWindows);
  const tools = useOpenedOnce(toolWindows);
  const connections = useOpenedOnce(connectionWindows);
  const person = useOpenedOnce(accountWindows);
  return (
    <Suspense fallback={null}>
      {team && !readOnly && <Modals />}
      {projects && !readOnly && <ProjectWindows />}
      {tools && !readOnly && <ToolsWindow />}
      {connections && !readOnly && <ConnectionsWindow />}
      {person && account && <account.Windows />}
    </Suspense>
  );
}

/** Whether one of these windows was opened: from then on they stay mounted, so that they can fade out. */
function useOpenedOnce(kinds: readonly WorkspaceWindow['kind'][]): boolean {
  const { panels } = usePanels();
  const wanted = useRef(false);
  if (panels.window && kinds.includes(panels.window.kind)) wanted.current = true;
  return wanted.current;
}
