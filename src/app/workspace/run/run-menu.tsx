import { useState } from 'react';
import { resultStatus } from '../../../../contract/executions/result-kinds.ts';
import { IconButton } from '../../../ui/controls/buttons/icon-button.tsx';
import { largeTarget } from '../../../ui/controls/buttons/large-target.ts';
import { Menu, MenuItem, MenuSeparator } from '../../../ui/controls/overlays/menu.tsx';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import { Ellipsis, Eraser, MessageCircle, Rewind, RotateCcw, Trash2 } from '../../../ui/icons/icons.ts';
import { useDispatch, useWorkspace } from '../../../workers/bridge/use-workspace.ts';
import { useWorkspaceContext } from '../frame/workspace-context.ts';
import { ClearHistoryQuestion } from '../history/clear-history.tsx';
import { useNothingCanRun } from './notice/use-run-errors.ts';
import styles from './run-control.module.css';
import { isAgain } from './start/start-choice.ts';
import { useStartChoice, useStartRun } from './start/use-start-run.ts';

/** What is rarely needed of the shown run. `onWrite`: a message is written in the place of the run; null where a button does it. */
export function RunMenu({ onWrite }: { onWrite: (() => void) | null }) {
  const { t } = useTranslation('workspace');
  const { mobile } = useWorkspaceContext();
  const dispatch = useDispatch();
  const start = useStartRun();
  const choice = useStartChoice();
  const executionId = useWorkspace(({ run }) => run.execution?.id ?? null);
  const hasEnded = useWorkspace(({ run }) => run.outcome !== null && run.phase === 'stopped');
  const hasHistory = useWorkspace((state) => state.history.items.some(({ status }) => status !== resultStatus.processing));
  const cannotRun = useNothingCanRun();
  const [asks, setAsks] = useState(false);
  return (
    <>
      <Menu
        align="end"
        side="top"
        trigger={
          <IconButton
            className={styles.more}
            label={t('run.more')}
            size={40}
            style={mobile ? largeTarget : undefined}
            tooltipSide="top"
            data-testid="run-menu"
            icon={<Ellipsis size={18} />}
          />
        }
      >
        {onWrite && (
          <MenuItem icon={<MessageCircle size={16} aria-hidden />} onSelect={onWrite}>
            {t('run.write')}
          </MenuItem>
        )}
        {hasEnded && (
          <MenuItem icon={<RotateCcw size={16} aria-hidden />} disabled={choice.kind === 'noAgents' || cannotRun} onSelect={start}>
            {t(isAgain(choice) ? 'words:runAgain' : 'run.start')}
          </MenuItem>
        )}
        {executionId !== null && (
          <MenuItem icon={<Rewind size={16} aria-hidden />} onSelect={() => void dispatch({ type: 'replay.open', executionId })}>
            {t(hasEnded ? 'run.replay' : 'run.lookBack')}
          </MenuItem>
        )}
        {hasEnded && (
          <MenuItem icon={<Eraser size={16} aria-hidden />} onSelect={() => void dispatch({ type: 'run.clear' })}>
            {t('run.clear')}
          </MenuItem>
        )}
        {hasHistory && (
          <>
            <MenuSeparator />
            <MenuItem danger icon={<Trash2 size={16} aria-hidden />} onSelect={() => setAsks(true)}>
              {t('history.clear')}
            </MenuItem>
          </>
        )}
      </Menu>
      <ClearHistoryQuestion open={asks} onClose={() => setAsks(false)} />
    </>
  );
}
