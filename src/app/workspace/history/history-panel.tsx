import { AnimatePresence } from 'framer-motion';
import * as m from 'framer-motion/m';
import { Suspense } from 'react';
import { IconButton } from '../../../ui/controls/buttons/icon-button.tsx';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import { X } from '../../../ui/icons/icons.ts';
import { panelFromRight, sheet } from '../../../ui/motion/transitions.ts';
import { useAppearing } from '../../../ui/motion/use-appearing.ts';
import { useWorkspace } from '../../../workers/bridge/use-workspace.ts';
import { shortcutOf } from '../frame/action-table.ts';
import { usePanels } from '../frame/panels.tsx';
import { useWorkspaceContext } from '../frame/workspace-context.ts';
import panel from '../panel.module.css';
import styles from './history.module.css';
import { HistoryList } from './lazy-history-list.ts';

/** The project's runs, newest first, beside the canvas. W2.18 */
export function HistoryPanel() {
  const { panels } = usePanels();
  return <AnimatePresence initial={false}>{panels.history && <OpenHistory key="history" />}</AnimatePresence>;
}

function OpenHistory() {
  const { t } = useTranslation('workspace');
  const { show } = usePanels();
  const { mobile } = useWorkspaceContext();
  const count = useWorkspace(({ history }) => `${history.items.length}${history.whole ? '' : '+'}`);
  const appearing = useAppearing(mobile ? sheet : panelFromRight);
  return (
    <m.aside
      {...appearing}
      className={`${panel.panel} ${panel.side} ${panel.sheet}`}
      aria-label={t('bar.history')}
      data-panel
      data-testid="history"
    >
      <header className={panel.head}>
        <h2>
          {t('bar.history')} <small className={styles.count}>{count}</small>
        </h2>
        <IconButton
          label={t('history.close')}
          shortcut={shortcutOf('toggleHistory')}
          size={mobile ? 40 : 32}
          icon={<X size={18} />}
          onClick={() => show({ history: false })}
        />
      </header>
      <Suspense fallback={null}>
        <HistoryList />
      </Suspense>
    </m.aside>
  );
}
