import { AnimatePresence } from 'framer-motion';
import { Suspense } from 'react';
import { lazyPart } from '../../../ui/loading/lazy-part.tsx';
import { usePanels } from '../panels.tsx';

const VersionsPanel = lazyPart(() => import('./versions-panel.tsx').then((file) => file.VersionsPanel));

/** Opens the versions of the canvas. Their script loads when the panel is first opened. */
export function VersionsSwitch() {
  const { panels } = usePanels();
  return (
    <AnimatePresence initial={false}>
      {panels.versions && (
        <Suspense key="versions" fallback={null}>
          <VersionsPanel />
        </Suspense>
      )}
    </AnimatePresence>
  );
}
