import { AnimatePresence } from 'framer-motion';
import * as m from 'framer-motion/m';
import { useEffect, useRef } from 'react';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import { panelFromBelow, sheet } from '../../../ui/motion/transitions.ts';
import { useAppearing } from '../../../ui/motion/use-appearing.ts';
import { useDispatch } from '../../../workers/bridge/use-workspace.ts';
import { usePanels } from '../frame/panels.tsx';
import { useWorkspaceContext } from '../frame/workspace-context.ts';
import panel from '../panel.module.css';
import styles from './console.module.css';
import { ConsoleBar } from './console-bar.tsx';
import { ConsoleGrip } from './console-grip.tsx';
import { ConsoleTabs } from './console-tabs.tsx';

/** The console: a bar at the bottom, or an open panel. */
export function Console() {
  const { panels } = usePanels();
  const isOpen = panels.console !== 'closed';
  useToggleLines(isOpen);
  return (
    <>
      {!isOpen && <ConsoleBar />}
      <AnimatePresence initial={false}>{isOpen && <OpenConsole key="console" />}</AnimatePresence>
    </>
  );
}

function OpenConsole() {
  const { t } = useTranslation('console');
  const { panels } = usePanels();
  const { mobile } = useWorkspaceContext();
  return (
    <m.section
      {...useAppearing(mobile ? sheet : panelFromBelow)}
      className={`${panel.panel} ${styles.console}`}
      data-full={panels.console === 'full' || undefined}
      aria-label={t('title')}
      data-panel
      data-testid="console"
    >
      <ConsoleGrip />
      <ConsoleTabs />
    </m.section>
  );
}

/** Adds a line to the console that it was opened or closed. W2.14 */
function useToggleLines(open: boolean): void {
  const dispatch = useDispatch();
  const was = useRef(open);
  useEffect(() => {
    if (was.current === open) return;
    was.current = open;
    void dispatch({ type: 'console.toggled', open });
  }, [open, dispatch]);
}
