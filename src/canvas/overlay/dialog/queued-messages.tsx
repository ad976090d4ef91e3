import { useState } from 'react';
import type { Problem } from '../../../model/problem.ts';
import type { QueuedRun } from '../../../model/run/queued-run.ts';
import { Button } from '../../../ui/controls/buttons/button.tsx';
import { useProblemText } from '../../../ui/i18n/use-problem-text.ts';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import { useStoreValue } from '../../use-store-value.ts';
import styles from './dialog-form.module.css';
import type { DialogFormProps } from './dialog-form.tsx';

/** The dialog's queued messages. Withdrawing one returns its text to an empty box. */
export function QueuedMessages({
  dialogId,
  store,
  dispatch,
  drafts,
}: Pick<DialogFormProps, 'store' | 'dispatch' | 'drafts'> & { dialogId: string }) {
  const { t } = useTranslation('canvas');
  const problemText = useProblemText();
  const [problem, setProblem] = useState<Problem | null>(null);
  const queue = useStoreValue(store, (state) => state.queue);
  const own = queue.filter(({ dialogNodeId }) => dialogNodeId === dialogId);
  const withdraw = async ({ executionId, text }: QueuedRun) => {
    const outcome = await dispatch({ type: 'run.withdraw', executionId });
    setProblem(outcome.ok ? null : outcome.error);
    if (outcome.ok && drafts.read(dialogId) === '') drafts.write(dialogId, text);
  };
  if (own.length === 0) return null;
  return (
    <ul className={styles.queue} data-testid="queued-messages">
      {own.map((queued) => (
        <li key={queued.executionId}>
          <span className={styles.queued} title={queued.text}>
            {t(queued.followsId === null ? 'dialog.queued' : 'dialog.followUpQueued', { text: queued.text })}
          </span>
          <Button size="xs" onClick={() => void withdraw(queued)}>
            {t('dialog.withdraw')}
          </Button>
        </li>
      ))}
      {problem && <li className={styles.refused}>{problemText(problem)}</li>}
    </ul>
  );
}
