import { useState } from 'react';
import type { CanvasNode } from '../../../../contract/canvas.ts';
import type { Problem } from '../../../model/problem.ts';
import type { QueuedRun } from '../../../model/run/queued-run.ts';
import { Button } from '../../../ui/controls/buttons/button.tsx';
import { LeftOutNote, type useLeftOut } from '../../../ui/controls/fields/left-out.tsx';
import { useProblemText } from '../../../ui/i18n/use-problem-text.ts';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import { useStoreValue } from '../../use-store-value.ts';
import styles from './dialog-form.module.css';
import { DialogFilesList } from './files/dialog-files-list.tsx';
import { LongListNote } from './long-list-note.tsx';
import { type Message, type MessageParts, unreachable } from './use-message.ts';

type MessageNotesProps = MessageParts & {
  node: CanvasNode;
  message: Message;
  limits: Pick<ReturnType<typeof useLeftOut>, 'leftOut' | 'forget'>;
  /** The ids that the text box names as its descriptions. */
  problemId: string;
  effectId: string;
};

/** What is said of a dialog's message: what did not fit, why it was refused, what sending it does, its files, and the messages before it. */
export function MessageNotes({ node, message, limits, problemId, effectId, ...parts }: MessageNotesProps) {
  const { t } = useTranslation('canvas');
  const problemText = useProblemText();
  const { text, problem, effect, target, write } = message;
  return (
    <>
      {limits.leftOut && <LeftOutNote leftOut={limits.leftOut} onClose={limits.forget} />}
      {problem && (
        <p id={problemId} className={styles.problem} role="alert">
          {problemText(problem)}
          {problem.code === unreachable && <span className={styles.kept}>{t('dialog.kept')}</span>}
        </p>
      )}
      {!problem && text.trim() !== '' && effect !== 'start' && (
        <p id={effectId} className={styles.note} data-testid="message-effect" data-effect={effect}>
          {t(`dialog.effect.${effect}`, { agent: target?.title ?? '' })}
        </p>
      )}
      {(effect === 'start' || effect === 'queue') && (
        <LongListNote store={parts.store} begins={{ dialogNodeId: node.id }} task={text} onChange={write} />
      )}
      <DialogFilesList nodeId={node.id} {...parts} />
      <QueuedMessages dialogId={node.id} {...parts} />
    </>
  );
}

/** The dialog's queued messages. Withdrawing one returns its text to an empty box. */
function QueuedMessages({ dialogId, store, dispatch, drafts }: MessageParts & { dialogId: string }) {
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
            {t('words:withdraw')}
          </Button>
        </li>
      ))}
      {problem && <li className={styles.refused}>{problemText(problem)}</li>}
    </ul>
  );
}
