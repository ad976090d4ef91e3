import { useRef } from 'react';
import { useImmer } from 'use-immer';
import { nameOf } from '../../../../rules/card.ts';
import { filesUnderWay } from '../../../canvas/overlay/dialog/dialog-drafts.ts';
import { LongListNote } from '../../../canvas/overlay/dialog/long-list-note.tsx';
import { failed } from '../../../model/problem.ts';
import { ownGoal } from '../../../model/run/own-goal.ts';
import { resolveDialogTarget } from '../../../model/run/starters/resolve-dialog-target.ts';
import { Button } from '../../../ui/controls/buttons/button.tsx';
import { TextArea } from '../../../ui/controls/fields/text-area.tsx';
import { Modal } from '../../../ui/controls/overlays/modal.tsx';
import { useProblemText } from '../../../ui/i18n/use-problem-text.ts';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import { RoleTile } from '../../../ui/icons/role-icon.tsx';
import { isSendKey } from '../../../ui/typed-keys.ts';
import { useDispatch, useStore } from '../../../workers/bridge/use-workspace.ts';
import { usePanels } from '../panels.tsx';
import { shortcutLabel } from '../shortcuts/shortcut-label.ts';
import { useWorkspaceContext } from '../workspace-context.ts';
import styles from './start-question.module.css';
import { startDialog } from './use-start-run.ts';

const taskMaxLength = 100_000;

/** Asks for the dialog or the task of a run. */
export function StartQuestion() {
  const { panels, show } = usePanels();
  const question = panels.startQuestion;
  const close = () => show({ startQuestion: null });
  if (!question) return null;
  return question.kind === 'task' ? (
    <TaskQuestion {...question} onClose={close} />
  ) : (
    <DialogQuestion dialogNodeIds={question.dialogNodeIds} onClose={close} />
  );
}

/** `hint`: the goal that the dialog came with, which is no task. */
type Task = { dialogNodeId: string | null; startNodeId?: string; cardId?: string; alone?: boolean; task?: string; hint?: string };

function TaskQuestion({
  dialogNodeId,
  startNodeId,
  cardId,
  alone = false,
  task: suggested = '',
  hint,
  onClose,
}: Task & { onClose: () => void }) {
  const { t } = useTranslation('workspace');
  const problemText = useProblemText();
  const dispatch = useDispatch();
  const store = useStore();
  const { drafts } = useWorkspaceContext();
  const [{ task, error, isBusy }, update] = useImmer({ task: suggested, error: '', isBusy: false });
  const change = (changes: Partial<{ task: string; error: string; isBusy: boolean }>) =>
    update((form) => void Object.assign(form, changes));
  const field = useRef<HTMLTextAreaElement>(null);

  const start = async () => {
    if (!task.trim()) {
      change({ error: t('task.empty') });
      field.current?.focus();
      return;
    }
    change({ isBusy: true });
    const inputSetId = dialogNodeId === null ? null : drafts.inputSetId(dialogNodeId);
    // As in the form of the dialog: a run that begins now would miss files.
    const isAdding = dialogNodeId !== null && drafts.isAddingFiles(dialogNodeId);
    const begin = () =>
      dispatch({
        type: 'run.start',
        ...(dialogNodeId !== null && { dialogNodeId }),
        ...(inputSetId !== null && { inputSetId }),
        ...(startNodeId !== undefined && { startNodeId }),
        ...(cardId !== undefined && { cardId, alone }),
        task: task.trim(),
      });
    const outcome = isAdding ? failed(filesUnderWay) : await begin();
    change({ isBusy: false, error: outcome.ok ? '' : problemText(outcome.error) });
    if (outcome.ok) onClose();
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
          <Button onClick={onClose}>{t('task.cancel')}</Button>
          <Button variant="primary" busy={isBusy} onClick={() => void start()} title={shortcutLabel('mod+Enter')}>
            {t('task.start')}
          </Button>
        </>
      }
    >
      <TextArea
        ref={field}
        label={t('task.label')}
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

function DialogQuestion({ dialogNodeIds, onClose }: { dialogNodeIds: string[]; onClose: () => void }) {
  const { t } = useTranslation('workspace');
  const { show } = usePanels();
  const dispatch = useDispatch();
  const { drafts } = useWorkspaceContext();
  const store = useStore();
  const { document } = store.getState();
  const { nodes } = document;
  /** Distinguishes dialogs with the same title: by their recipient and their place. */
  const placeOf = (id: string) => {
    const dialog = nodes[id];
    const target = dialog && resolveDialogTarget(document, dialog);
    return dialog && t('task.place', { agent: target ? nameOf(target) : '—', x: Math.round(dialog.x), y: Math.round(dialog.y) });
  };
  const choose = (dialogNodeId: string) => {
    const { goal = '' } = nodes[dialogNodeId] ?? {};
    const task = drafts.read(dialogNodeId).trim() || ownGoal({ goal });
    if (!task) {
      show({ startQuestion: { kind: 'task', dialogNodeId, ...(goal.trim() && { hint: goal.trim() }) } });
      return;
    }
    onClose();
    void startDialog({ dispatch, drafts, store }, dialogNodeId, task);
  };
  return (
    <Modal open onClose={onClose} title={t('task.choose')} description={t('task.chooseText')}>
      <ul className={styles.choices}>
        {dialogNodeIds.map((id, index) => (
          <li key={id}>
            <button type="button" className={styles.choice} onClick={() => choose(id)}>
              <RoleTile name="dialog" hue="lime" size={32} />
              <span>
                <strong>{t('task.numbered', { number: index + 1, title: nodes[id]?.title || t('trigger.dialog') })}</strong>
                <small>{placeOf(id)}</small>
                <small>{drafts.read(id).trim() || nodes[id]?.goal?.trim() || t('task.noGoal')}</small>
              </span>
            </button>
          </li>
        ))}
      </ul>
    </Modal>
  );
}
