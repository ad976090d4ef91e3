import type { Waiting } from '../../../../model/workspace-state.ts';
import { Button } from '../../../../ui/controls/buttons/button.tsx';
import { Spinner } from '../../../../ui/controls/spinner.tsx';
import { clock } from '../../../../ui/i18n/duration.ts';
import { useLateProblemText } from '../../../../ui/i18n/use-late-problem-text.ts';
import { useTranslation } from '../../../../ui/i18n/use-translation.ts';
import { X } from '../../../../ui/icons/icons.ts';
import { useDispatch, useWorkspace } from '../../../../workers/bridge/use-workspace.ts';
import { useWorkspaceContext } from '../../frame/workspace-context.ts';
import { useNow } from '../../time/use-now.ts';
import styles from './command-line.module.css';

/** Shows the awaited answer with a cancel button, or the outcome of the last command. W2.17 */
export function CommandStatus({ hasAgent }: { hasAgent: boolean }) {
  const { t } = useTranslation('console');
  const problemText = useLateProblemText();
  const { readOnly } = useWorkspaceContext();
  const { waiting, status } = useWorkspace((state) => state.commandLine);
  const shown = status ?? (hasAgent || readOnly ? null : { code: 'console.status.noAgent' });
  const isStale = shown?.code === 'console.status.noAgent' && hasAgent;
  return (
    <div className={styles.status} data-busy={waiting !== null || undefined}>
      <p role="status" data-testid="command-status">
        {waiting ? t('line.waiting', { agent: waiting.agentTitle, command: waiting.name }) : shown && !isStale ? problemText(shown) : null}
      </p>
      {waiting && <Wait waiting={waiting} />}
    </div>
  );
}

function Wait({ waiting }: { waiting: Waiting }) {
  const { t } = useTranslation('console');
  const dispatch = useDispatch();
  const now = useNow(true, waiting.since);
  return (
    <>
      <span className={styles.elapsed} aria-hidden>
        <Spinner size={14} />
        {clock(Math.max(0, now - Date.parse(waiting.since)))}
      </span>
      <Button
        size="s"
        icon={<X size={14} aria-hidden />}
        busy={waiting.cancelling}
        onClick={() => void dispatch({ type: 'console.cancel' })}
      >
        {t(waiting.cancelling ? 'line.cancelling' : 'line.cancel')}
      </Button>
    </>
  );
}
