import { type KeyboardEvent, Suspense, useEffect, useId, useRef } from 'react';
import type { CanvasNode } from '../../../../../contract/canvas.ts';
import { DialogTarget } from '../../../../canvas/overlay/dialog/dialog-target.tsx';
import { DialogFilesButton } from '../../../../canvas/overlay/dialog/files/dialog-files-button.tsx';
import messageBox from '../../../../canvas/overlay/dialog/message-box.module.css';
import { MessageNotes } from '../../../../canvas/overlay/dialog/message-notes.tsx';
import { maxMessageLength, useMessage } from '../../../../canvas/overlay/dialog/use-message.ts';
import { isLocked } from '../../../../model/workspace-state.ts';
import { Button } from '../../../../ui/controls/buttons/button.tsx';
import { IconButton } from '../../../../ui/controls/buttons/icon-button.tsx';
import { largeTarget } from '../../../../ui/controls/buttons/large-target.ts';
import { LeftOutNote, useLeftOut } from '../../../../ui/controls/fields/left-out.tsx';
import { useTranslation } from '../../../../ui/i18n/use-translation.ts';
import { ArrowLeft, Play, SendHorizontal } from '../../../../ui/icons/icons.ts';
import { isSendKey } from '../../../../ui/typed-keys.ts';
import { useDispatch, useStore, useWorkspace } from '../../../../workers/bridge/use-workspace.ts';
import { shortcutOf } from '../../frame/action-table.ts';
import { usePanels } from '../../frame/panels.tsx';
import { useNodeCounts } from '../../frame/use-node-counts.ts';
import { useWorkspaceContext } from '../../frame/workspace-context.ts';
import { RunNotice } from '../notice/run-notice.tsx';
import { useNothingCanRun } from '../notice/use-run-errors.ts';
import { RunSettings } from '../settings/run-settings.tsx';
import { startDialog, useStartChoice, useStartRun } from '../start/use-start-run.ts';
import { takeFocusOfForm } from './focus-of-form.ts';
import styles from './task-row.module.css';
import { TeamChoice } from './team-choice.tsx';
import { useBarredDialog, useHasForm } from './use-barred-dialog.ts';

type TaskRowProps = {
  /** A person has asked for the field, which takes the focus. */
  isAsked: boolean;
  /** Counts the forms that went while they were typed in: the field takes their focus. */
  lostForms: number;
  /** Shows the run again in whose place the task is written; null without one. */
  onBack: (() => void) | null;
  onStarted: () => void;
};

/** The team, its task with files, who gets it, Start, and the settings of runs. The field has the text of the dialog's form. D4.05 */
export function TaskRow({ isAsked, lostForms, onBack, onStarted }: TaskRowProps) {
  const { t } = useTranslation('workspace');
  const { mobile } = useWorkspaceContext();
  const nodeId = useBarredDialog();
  const node = useWorkspace((state) => (nodeId === null ? undefined : state.document.nodes[nodeId]));
  const back = onBack && (
    <IconButton
      label={t('run.back')}
      size={40}
      style={mobile ? largeTarget : undefined}
      tooltipSide="top"
      data-testid="back-to-run"
      icon={<ArrowLeft size={17} />}
      onClick={onBack}
    />
  );
  return node ? <DialogTask {...{ node, isAsked, lostForms, back, onStarted }} /> : <TaskOfCanvas back={back} />;
}

type DialogTaskProps = Pick<TaskRowProps, 'isAsked' | 'lostForms' | 'onStarted'> & { node: CanvasNode; back: React.ReactNode };

function DialogTask({ node, isAsked, lostForms, back, onStarted }: DialogTaskProps) {
  const { t } = useTranslation('workspace');
  const store = useStore();
  const dispatch = useDispatch();
  const { drafts } = useWorkspaceContext();
  const { panels, show } = usePanels();
  const box = useRef<HTMLTextAreaElement>(null);
  const problemId = useId();
  const effectId = useId();
  const isFixed = useWorkspace((state) => isLocked(state.run));
  const message = useMessage(node, { store, dispatch, drafts });
  const { text, sending, problem, write, send, effect } = message;
  const limits = useLeftOut();
  const hasForm = useHasForm(node.id);
  const start = useStart(node, onStarted);
  const go = () => {
    if (effect !== 'start') {
      // What was said has arrived: the run is shown again, with pause, stop and its end.
      void send().then((isAccepted) => isAccepted && onStarted());
      return;
    }
    if (start()) return;
    box.current?.focus();
    void send();
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: each form that goes gives its focus
  useEffect(() => takeFocusOfForm(box.current, node.id), [node.id, lostForms]);
  useEffect(() => {
    if (!isAsked) return;
    // After the menu that has asked gives the focus back.
    const frame = requestAnimationFrame(() => box.current?.focus({ preventScroll: true }));
    return () => cancelAnimationFrame(frame);
  }, [isAsked]);
  const type = (next: string) => {
    // The team that is written to stays the next one, also without a text.
    if (panels.team !== node.id) show({ team: node.id });
    write(next);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (!isSendKey(event)) return;
    event.preventDefault();
    go();
  };
  return (
    <div ref={limits.ref} className={styles.bar} data-message-bar data-testid="message-bar" data-for={node.id}>
      <div className={styles.notes}>
        {hasForm ? (
          // The form says the rest; what did not fit into this field is known only here.
          limits.leftOut && <LeftOutNote leftOut={limits.leftOut} onClose={limits.forget} />
        ) : (
          <MessageNotes {...{ node, message, limits, problemId, effectId, store, dispatch, drafts }} />
        )}
      </div>
      <div className={styles.line}>
        {back}
        {/* A list that is open beside it stays, when another dialog is named. */}
        <div key={node.id} className={styles.field}>
          <textarea
            ref={box}
            className={`${messageBox.box} ${styles.box}`}
            rows={1}
            maxLength={maxMessageLength}
            value={text}
            placeholder={t('run.placeholder')}
            aria-label={t('run.task', { title: node.title })}
            aria-invalid={problem ? true : undefined}
            aria-describedby={hasForm ? undefined : problem ? problemId : effectId}
            onChange={(event) => type(event.target.value)}
            onKeyDown={onKeyDown}
          />
          <Suspense fallback={null}>
            <DialogFilesButton nodeId={node.id} drafts={drafts} dispatch={dispatch} box={box} />
          </Suspense>
        </div>
        {effect === 'start' && <RunNotice />}
        <TeamChoice node={node} />
        <div className={styles.target}>
          <DialogTarget node={node} store={store} dispatch={dispatch} disabled={isFixed} />
        </div>
        {effect === 'start' ? (
          <StartButton isBusy={sending} onStart={go} />
        ) : (
          <Button
            size="l"
            variant="primary"
            className={styles.start}
            icon={<SendHorizontal size={16} aria-hidden />}
            busy={sending}
            onClick={go}
          >
            {t('run.tell')}
          </Button>
        )}
        <RunSettings />
      </div>
    </div>
  );
}

/**
 * Returns what Start does in the bar: it starts the dialog with the text of the field. Without a text it does what the canvas says; false
 * where only the text is missing.
 */
function useStart(node: CanvasNode, onStarted: () => void): () => boolean {
  const dispatch = useDispatch();
  const store = useStore();
  const { drafts } = useWorkspaceContext();
  const startRun = useStartRun();
  const choice = useStartChoice();
  const hasEnded = useWorkspace((state) => state.run.outcome !== null);
  return () => {
    const task = drafts.read(node.id).trim();
    if (task) {
      void startDialog({ dispatch, drafts, store }, node.id, task).then((isAccepted) => isAccepted && onStarted());
      return true;
    }
    if (hasEnded || choice.kind === 'askTask') return false;
    startRun();
    onStarted();
    return true;
  };
}

/** Without a dialog Start asks for the task. */
function TaskOfCanvas({ back }: { back: React.ReactNode }) {
  const { t } = useTranslation('workspace');
  const start = useStartRun();
  const agents = useNodeCounts((counts) => counts.agents);
  return (
    <div className={styles.line}>
      {back}
      {agents > 0 && <p className={styles.agents}>{t('words:agentCount', { count: agents })}</p>}
      <RunNotice />
      <StartButton onStart={start} />
      <RunSettings />
    </div>
  );
}

function StartButton({ isBusy = false, onStart }: { isBusy?: boolean; onStart: () => void }) {
  const { t } = useTranslation('workspace');
  const cannotRun = useNothingCanRun();
  const isEmpty = useNodeCounts(({ agents }) => agents === 0) || cannotRun;
  return (
    <Button
      size="l"
      variant={isEmpty ? 'secondary' : 'primary'}
      className={styles.start}
      icon={<Play size={17} aria-hidden />}
      busy={isBusy}
      disabled={isEmpty}
      onClick={onStart}
      title={shortcutOf('startRun')}
      data-start
    >
      {t('run.start')}
    </Button>
  );
}
