import { Suspense, useRef } from 'react';
import { lazyPart } from '../../../ui/loading/lazy-part.tsx';
import { usePanels, type WorkspaceWindow } from '../frame/panels.tsx';
import { useWorkspaceContext } from '../frame/workspace-context.ts';
import { windowNotLoaded } from './window-not-loaded.tsx';

const teamWindows: readonly WorkspaceWindow['kind'][] = ['newAgent', 'addAgent', 'buyAgent', 'inviteMember', 'addUser'];
const projectWindows: readonly WorkspaceWindow['kind'][] = ['projectForm', 'projectRemoval'];
const workWindows: readonly WorkspaceWindow['kind'][] = ['connections', 'tools'];
export const accountWindows: readonly WorkspaceWindow['kind'][] = ['account', 'leave', 'connect'];

const Modals = lazyPart(() => import('./modals.tsx').then((file) => file.Modals), windowNotLoaded(teamWindows));
const ProjectWindows = lazyPart(
  () => import('../projects/project-windows.tsx').then((file) => file.ProjectWindows),
  windowNotLoaded(projectWindows),
);
const ModelsAndToolsWindow = lazyPart(
  () => import('../models-and-tools/models-and-tools-window.tsx').then((file) => file.ModelsAndToolsWindow),
  windowNotLoaded(workWindows),
);

/**
 * The windows about the team, models and tools, the projects and the account, each kind loaded when first needed. A reader has none
 * that changes the project. R43
 */
export function ModalSwitch() {
  const { readOnly, account } = useWorkspaceContext();
  const team = useOpenedOnce(teamWindows);
  const projects = useOpenedOnce(projectWindows);
  const work = useOpenedOnce(workWindows);
  const person = useOpenedOnce(accountWindows);
  return (
    <Suspense fallback={null}>
      {team && !readOnly && <Modals />}
      {projects && !readOnly && <ProjectWindows />}
      {work && !readOnly && <ModelsAndToolsWindow />}
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
