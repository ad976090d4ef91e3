import { lazy, Suspense, useRef } from 'react';
import { usePanels, type WorkspaceWindow } from '../panels.tsx';
import { useSurroundings } from '../workspace-context.ts';

const Modals = lazy(() => import('./modals.tsx').then((file) => ({ default: file.Modals })));

const kinds: readonly WorkspaceWindow['kind'][] = ['addAgent', 'buyAgent', 'inviteMember', 'addUser'];

/** The windows about the team, fetched when the first of them is asked for; who may only read has none. R43 */
export function ModalSwitch() {
  const { panels } = usePanels();
  const { readOnly } = useSurroundings();
  const wanted = useRef(false);
  if (panels.window && kinds.includes(panels.window.kind)) wanted.current = true;
  if (readOnly || !wanted.current) return null;
  return (
    <Suspense fallback={null}>
      <Modals />
    </Suspense>
  );
}
