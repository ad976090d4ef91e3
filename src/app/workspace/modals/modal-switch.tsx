import { lazy, Suspense, useRef } from 'react';
import { usePanels, type WorkspaceWindow } from '../panels.tsx';
import { useSurroundings } from '../workspace-context.ts';

const Modals = lazy(() => import('./modals.tsx').then((file) => ({ default: file.Modals })));

const ProjectWindows = lazy(() => import('../projects/project-windows.tsx').then((file) => ({ default: file.ProjectWindows })));

const ofTeam: readonly WorkspaceWindow['kind'][] = ['newAgent', 'addAgent', 'buyAgent', 'inviteMember', 'addUser'];
const ofProjects: readonly WorkspaceWindow['kind'][] = ['projectForm', 'projectRemoval'];
const ofAccount: readonly WorkspaceWindow['kind'][] = ['account', 'leave'];

/**
 * The windows about the team, the projects and the account, each kind fetched when it is first asked for. Who may only read has none
 * that changes the project. R43
 */
export function ModalSwitch() {
  const { readOnly, account } = useSurroundings();
  const team = useWanted(ofTeam);
  const projects = useWanted(ofProjects);
  const person = useWanted(ofAccount);
  return (
    <Suspense fallback={null}>
      {team && !readOnly && <Modals />}
      {projects && !readOnly && <ProjectWindows />}
      {person && account && <account.Windows />}
    </Suspense>
  );
}

/** Whether one of these windows has been asked for: from then on they are there, to open and to fade out. */
function useWanted(kinds: readonly WorkspaceWindow['kind'][]): boolean {
  const { panels } = usePanels();
  const wanted = useRef(false);
  if (panels.window && kinds.includes(panels.window.kind)) wanted.current = true;
  return wanted.current;
}
