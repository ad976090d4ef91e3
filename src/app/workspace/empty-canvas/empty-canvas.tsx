import { Suspense } from 'react';
import { lazyPart } from '../../../ui/loading/lazy-part.tsx';
import { useWorkspace } from '../../../workers/bridge/use-workspace.ts';
import { useNodeCounts } from '../use-node-counts.ts';
import { useWorkspaceContext } from '../workspace-context.ts';

const Beginnings = lazyPart(() => import('./beginnings.tsx').then((file) => file.Beginnings));

/** Shows ways to begin while the canvas is empty and can be edited. */
export function EmptyCanvas() {
  const ready = useWorkspace((state) => state.status === 'ready');
  const empty = useNodeCounts(({ total }) => total === 0);
  const { readOnly } = useWorkspaceContext();
  if (!ready || !empty || readOnly) return null;
  return (
    <Suspense fallback={null}>
      <Beginnings />
    </Suspense>
  );
}
