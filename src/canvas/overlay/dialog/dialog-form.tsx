import { type KeyboardEvent, Suspense, useCallback, useEffect, useId, useRef, useState } from 'react';
import type { CanvasNode } from '../../../../contract/canvas.ts';
import type { Dispatch } from '../../../model/commands.ts';
import type { Problem } from '../../../model/problem.ts';
import { messageEffect } from '../../../model/run/message-effect.ts';
import type { QueuedRun } from '../../../model/run/queued-run.ts';
import { isLocked, type RunPhase, type WorkspaceState } from '../../../model/workspace-state.ts';
import type { WorkspaceStore } from '../../../model/workspace-store.ts';
import { useObserved } from '../../../state/use-observed.ts';
import { Button } from '../../../ui/controls/buttons/button.tsx';
import { LeftOutNote, useLeftOut } from '../../../ui/controls/fields/left-out.tsx';
import { Switch } from '../../../ui/controls/fields/switch.tsx';
import { Tooltip } from '../../../ui/controls/overlays/tooltip.tsx';
import { useProblemText } from '../../../ui/i18n/use-problem-text.ts';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import { Pause, Play, SendHorizontal } from '../../../ui/icons/icons.ts';
import { AbsentUntilOnline } from '../../../ui/loading/absent-until-online.tsx';
import { lazyPart } from '../../../ui/loading/lazy-part.tsx';
import { isSendKey } from '../../../ui/typed-keys.ts';
import type { CanvasView } from '../../canvas-view.ts';
import type { DocumentIndex } from '../../geometry/document-index.ts';
import { useStoreValue } from '../../use-store-value.ts';
import { useOnCard } from '../use-on-card.ts';
import { useUncovered } from '../use-uncovered.ts';
import type { DialogDrafts } from './dialog-drafts.ts';
import styles from './dialog-form.module.css';
import { DialogTarget } from './dialog-target.tsx';
import { useDialogTarget } from './use-dialog-target.ts';

const DialogFilesButton = lazyPart(
  () => import('./files/dialog-files-button.tsx').then((file) => file.DialogFilesButton),
  AbsentUntilOnline,
);
const DialogSettings = lazyPart(() => import('./dialog-settings.tsx').then((file) => file.DialogSettings), AbsentUntilOnline);
const DialogFilesList = lazyPart(() => import('./files/dialog-files-list.tsx').then((file) => file.DialogFilesList), AbsentUntilOnline);

/** The code of a message that did not reach the server. */
const unreachable = 'network';
/** The server's limit for a task, in characters. */
const maxMessageLength = 100_000;

export type DialogFormProps = {
  nodeId: string;
  store: WorkspaceStore;
  /** Null for a form that lies on no card. */
  view: CanvasView | null;
  /** The index of all cards, which may cover this one; null without other cards. */
  index: DocumentIndex | null;
  dispatch: Dispatch;
  drafts: DialogDrafts;
  readOnly: boolean;
};

/** The content of a dialog card, above the frame that the scene draws. */
export function DialogForm(props: DialogFormProps) {
  const { nodeId, store } = props;
  const node = useStoreValue(store, (state) => state.document.nodes[nodeId]);
  return node ? <DialogOnCard {...props} node={node} /> : null;
}

function DialogOnCard({ node, store, view, index, dispatch, drafts, readOnly }: DialogFormProps & { node: CanvasNode }) {
  const { t } = useTranslation('canvas');
  const problemText = useProblemText();
  const card = useRef<HTMLElement>(null);
  const box = useRef<HTMLTextAreaElement>(null);
  const problemId = useId();
  const effectId = useId();
  useOnCard(card, node, view);
  useUncovered(card, node.id, view, index);
  // A run of the past has no button.
  const phase = useStoreValue(store, (state) => (state.replay ? 'stopped' : state.run.phase));
  const fixed = useStoreValue(store, (state) => isLocked(state.run)) || readOnly;
  const online = useStoreValue(store, (state) => state.connection.online);
  // A read-only form shows what the team was asked, and in the demonstration what it will be asked.
  const asked = useStoreValue(store, ({ run: { execution } }) =>
    readOnly && execution?.dialogNodeId === node.id ? execution.initialTask : null,
  );
  const target = useDialogTarget(store, node);
  const effect = useStoreValue(store, ({ run }) => messageEffect(run, node.id, target));
  const { text, sending, problem, write, send } = useMessage(node, drafts, dispatch, { store, online });

  const { ref: limits, leftOut, forget } = useLeftOut();
  const frame = useCallback(
    (element: HTMLElement | null) => {
      card.current = element;
      return limits(element);
    },
    [limits],
  );

  const onKeyDown = (event: KeyboardEvent) => {
    if (readOnly || !isSendKey(event)) return;
    event.preventDefault();
    void send();
  };

  return (
    <section ref={frame} className={styles.card} data-dialog-id={node.id} aria-label={t('dialog.label', { title: node.title })}>
      <p className={styles.goal} title={node.goal}>
        {node.goal}
      </p>
      {!readOnly && (
        <Suspense fallback={null}>
          <DialogSettings node={node} dispatch={dispatch} disabled={fixed} />
        </Suspense>
      )}
      <textarea
        ref={box}
        className={styles.box}
        data-canvas-control
        rows={4}
        maxLength={maxMessageLength}
        value={asked ?? ((readOnly && node.description) || text)}
        placeholder={t('dialog.placeholder')}
        aria-label={t('dialog.message', { title: node.title })}
        aria-invalid={problem ? true : undefined}
        aria-describedby={problem ? problemId : effectId}
        readOnly={readOnly}
        onChange={(event) => write(event.target.value)}
        onKeyDown={onKeyDown}
      />
      {!readOnly && (
        <Suspense fallback={null}>
          <DialogFilesButton nodeId={node.id} drafts={drafts} dispatch={dispatch} box={box} />
        </Suspense>
      )}
      <div className={styles.row} data-canvas-control>
        <DialogTarget node={node} store={store} dispatch={dispatch} disabled={fixed} />
        <Switch
          label={t('dialog.autoStart')}
          checked={node.autoStartSimulation ?? true}
          disabled={fixed}
          onChange={(checked) => void dispatch({ type: 'node.update', id: node.id, changes: { autoStartSimulation: checked } })}
        />
      </div>
      <div className={styles.actions} data-canvas-control>
        {!readOnly && <RunButton phase={phase} dispatch={dispatch} />}
        <Tooltip label={t('dialog.sendHint')} shortcut="Ctrl Enter" side="bottom">
          <Button
            variant="primary"
            className={styles.action}
            icon={<SendHorizontal size={14} aria-hidden />}
            busy={sending}
            disabled={readOnly}
            onClick={() => void send()}
          >
            {t('dialog.send')}
          </Button>
        </Tooltip>
      </div>
      <div className={styles.below} data-canvas-control>
        {leftOut && <LeftOutNote leftOut={leftOut} onClose={forget} />}
        {problem && (
          <p id={problemId} className={styles.problem} role="alert">
            {problemText(problem)}
            {problem.code === unreachable && <span className={styles.kept}>{t('dialog.kept')}</span>}
          </p>
        )}
        {!problem && !readOnly && text.trim() !== '' && effect !== 'start' && (
          <p id={effectId} className={styles.note} data-testid="message-effect" data-effect={effect}>
            {t(`dialog.effect.${effect}`, { agent: target?.title ?? '' })}
          </p>
        )}
        {!readOnly && (
          <Suspense fallback={null}>
            <DialogFilesList nodeId={node.id} store={store} drafts={drafts} dispatch={dispatch} />
          </Suspense>
        )}
        {!readOnly && <QueuedMessages dialogId={node.id} store={store} dispatch={dispatch} drafts={drafts} />}
      </div>
    </section>
  );
}

/** Pause or resume, while a run is active. W2.12 */
function RunButton({ phase, dispatch }: { phase: RunPhase; dispatch: Dispatch }) {
  const { t } = useTranslation('canvas');
  if (phase === 'stopped') return null;
  const paused = phase === 'paused';
  const Icon = paused ? Play : Pause;
  return (
    <Button
      className={styles.action}
      variant="secondary"
      icon={<Icon size={14} aria-hidden />}
      disabled={phase !== 'paused' && phase !== 'running'}
      onClick={() => void dispatch({ type: paused ? 'run.resume' : 'run.pause' })}
    >
      {t(paused ? 'dialog.resume' : phase === 'pausing' ? 'dialog.pausing' : 'dialog.pause')}
    </Button>
  );
}

/** The dialog's queued messages. Withdrawing one returns its text to an empty box. */
function QueuedMessages({
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

/** A dialog's unsent text, and sending it. An accepted text is removed, a refused one stays with its problem until the cause is gone. */
function useMessage(
  { id: nodeId, title }: CanvasNode,
  drafts: DialogDrafts,
  dispatch: Dispatch,
  { store, online }: { store: WorkspaceStore; online: boolean },
) {
  const text = useObserved(drafts, () => drafts.read(nodeId));
  const { isUnderWay: sending, problem } = useObserved(drafts, () => drafts.sending(nodeId));

  useEffect(() => drafts.addForm(nodeId), [drafts, nodeId]);

  const wasOnline = useRef(online);
  useEffect(() => {
    if (online && !wasOnline.current && drafts.sending(nodeId).problem?.code === unreachable) drafts.forgetProblem(nodeId);
    wasOnline.current = online;
  }, [online, drafts, nodeId]);

  useEffect(() => {
    if (!problem || problem.code === unreachable) return;
    const { document, run, validation } = store.getState();
    const errors = errorsIn(validation);
    return store.subscribe((now) => {
      if (now.document !== document || now.run.phase !== run.phase || errorsIn(now.validation) < errors) drafts.forgetProblem(nodeId);
    });
  }, [problem, store, drafts, nodeId]);

  const write = (next: string) => {
    drafts.write(nodeId, next);
    drafts.forgetProblem(nodeId);
  };
  const send = () =>
    drafts.send({ id: nodeId, title }, async (sent) => {
      const inputSetId = drafts.inputSetId(nodeId);
      return dispatch({ type: 'dialog.send', nodeId, text: sent, ...(inputSetId !== null && { inputSetId }) });
    });
  return { text, sending, problem, write, send };
}

function errorsIn(validation: WorkspaceState['validation']): number {
  return validation.filter(({ severity }) => severity === 'error').length;
}
