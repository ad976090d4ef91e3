import { AnimatePresence } from 'framer-motion';
import { Suspense, useCallback } from 'react';
import type { Scene } from '../../../canvas/scene/scene.ts';
import { lazyPart } from '../../../ui/loading/lazy-part.tsx';
import { usePanels } from '../panels.tsx';

const PerformancePanel = lazyPart(() => import('./performance-panel.tsx').then((file) => file.PerformancePanel));

type PerformanceSwitchProps = { scene: Scene | null; roundTrip: () => Promise<number> };

/** Opens the performance panel by its shortcut or by `?perf` in the URL. While it is closed, nothing is measured. */
export function PerformanceSwitch({ scene, roundTrip }: PerformanceSwitchProps) {
  const { panels, show } = usePanels();
  const close = useCallback(() => show({ performance: false }), [show]);
  return (
    <AnimatePresence>
      {panels.performance && scene && (
        <Suspense key="performance" fallback={null}>
          <PerformancePanel scene={scene} roundTrip={roundTrip} onClose={close} />
        </Suspense>
      )}
    </AnimatePresence>
  );
}
