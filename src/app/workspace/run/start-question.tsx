import { useEffect, useRef } from 'react';
import { useImmer } from 'use-immer';
import { LongListNote } from '../../../canvas/overlay/dialog/long-list-note.tsx';
import type { Problem } from '../../../model/problem.ts';
import { Button } from '../../../ui/controls/buttons/button.tsx';
import { TextArea } from '../../../ui/controls/fields/text-area.tsx';
import { Modal } from '../../../ui/controls/overlays/modal.tsx';
import { useProblemText } from '../../../ui/i18n/use-problem-text.ts';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import { isSendKey } from '../../../ui/typed-keys.ts';
import { useDispatch, useStore } from '../../../workers/bridge/use-workspace.ts';
import { type StartQuestion as Asked, usePanels } from '../frame/panels.tsx';
import { shortcutLabel } from '../frame/shortcut-label.ts';
import { useWorkspaceContext } from '../frame/workspace-context.ts';
import { startDialog } from './start/use-start-run.ts';

const taskMaxLength = 100_000;

/** Asks for the task of a run. */
export function StartQuestion() {
  const { panels, show } = usePanels();
  const question = panels.startQuestion;
  return question && <TaskQuestion {...question} onClose={() => show({ startQuestion: null })} />;
}

type TaskQuestionProps = Asked & { onClose: () => void };

function TaskQuestion({ dialogNodeId, startNodeId, cardId, alone = false, task: suggested = '', hint, onClose }: TaskQuestionProps) {
  const { t } = useTranslation('workspace');
  const problemText = useProblemText();
  const dispatch = useDispatch();
  const store = useStore();
  const { drafts } = useWorkspaceContext();
  const [{ task, error, isBusy }, update] = useImmer({ task: suggested, error: '', isBusy: false });
  const change = (changes: Partial<{ task: string; error: string; isBusy: boolean }>) =>
    update((form) => void Object.assign(form, changes));
  const field = useRef<HTMLTextAreaElement>(null);

  // A refusal of a dialog's run is said here.
  useEffect(() => (dialogNodeId === null ? undefined : drafts.addForm(dialogNodeId)), [drafts, dialogNodeId]);

  /** Returns why the run was refused; null for one that begins. */
  const begin = async (): Promise<Problem | null> => {
    if (dialogNodeId !== null) {
      const isAccepted = await startDialog({ dispatch, drafts, store }, dialogNodeId, task.trim());
      return isAccepted ? null : drafts.sending(dialogNodeId).problem;
    }
    const outcome = await dispatch({
      type: 'run.start',
      ...(startNodeId !== undefined && { startNodeId }),
      ...(cardId !== undefined && { cardId, alone }),
      task: task.trim(),
    });
    return outcome.ok ? null : outcome.error;
  };
  const start = async () => {
    if (!task.trim()) {
      change({ error: t('task.empty') });
      field.current?.focus();
      return;
    }
    change({ isBusy: true });
    const problem = await begin();
    change({ isBusy: false, error: problem ? problemText(problem) : '' });
    if (!problem) onClose();
  };

  return (
    <Modal
      open
      onClose={onClose}
      size="m"
      title={t('task.title')}
      description={t('task.text')}
      initialFocus={field}
      footer={
        <>
          <Button onClick={onClose}>{t('common:cancel')}</Button>
          <Button variant="primary" busy={isBusy} onClick={() => void start()} title={shortcutLabel('mod+Enter')}>
            {t('words:start')}
          </Button>
        </>
      }
    >
      <TextArea
        ref={field}
        label={t('words:task')}
        labelHidden
        grows
        rows={6}
        maxLength={taskMaxLength}
        placeholder={hint ?? t('task.placeholder')}
        error={error || undefined}
        value={task}
        onChange={(event) => change({ task: event.target.value, error: '' })}
        onKeyDown={(event) => {
          if (isSendKey(event)) void start();
        }}
      />
      {!alone && (
        <LongListNote
          store={store}
          begins={{ dialogNodeId, startNodeId, cardId }}
          task={task}
          onChange={(joined) => change({ task: joined, error: '' })}
        />
      )}
    </Modal>
  );
}
