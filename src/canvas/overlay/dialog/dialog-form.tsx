import { type KeyboardEvent, type RefObject, Suspense, useId, useRef } from 'react';
import type { CanvasNode } from '../../../../contract/canvas.ts';
import type { Dispatch } from '../../../model/commands.ts';
import { isDialogOutside } from '../../../model/run/shown-on-canvas.ts';
import { isLocked } from '../../../model/workspace-state.ts';
import type { WorkspaceStore } from '../../../model/workspace-store.ts';
import { Button } from '../../../ui/controls/buttons/button.tsx';
import { useLeftOut } from '../../../ui/controls/fields/left-out.tsx';
import { Switch } from '../../../ui/controls/fields/switch.tsx';
import { Tooltip } from '../../../ui/controls/overlays/tooltip.tsx';
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
import messageBox from './message-box.module.css';
import { type Message, maxMessageLength, useMessage } from './use-message.ts';

const DialogSettings = lazyPart(() => import('./dialog-settings.tsx').then((file) => file.DialogSettings), AbsentUntilOnline);
const DialogFilesButton = lazyPart(
  () => import('./files/dialog-files-button.tsx').then((file) => file.DialogFilesButton),
  AbsentUntilOnline,
);
const MessageNotes = lazyPart(() => import('./message-notes.tsx').then((file) => file.MessageNotes), AbsentUntilOnline);

type DialogFormProps = {
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

type CardProps = DialogFormProps & { node: CanvasNode };

function DialogOnCard(props: CardProps) {
  const { node, store, view, index, dispatch, drafts, readOnly } = props;
  const { t } = useTranslation('canvas');
  const box = useRef<HTMLTextAreaElement>(null);
  const problemId = useId();
  const effectId = useId();
  const limits = useLeftOut();
  useOnCard(limits.frame, node, view);
  useUncovered(limits.frame, node.id, view, index);
  const fixed = useStoreValue(store, (state) => isLocked(state.run)) || readOnly;
  const message = useMessage(node, { store, dispatch, drafts });
  return (
    <section ref={limits.ref} className={styles.card} data-dialog-id={node.id} aria-label={t('dialog.label', { title: node.title })}>
      <p className={styles.goal} title={node.goal}>
        {node.goal}
      </p>
      {!readOnly && (
        <Suspense fallback={null}>
          <DialogSettings node={node} dispatch={dispatch} disabled={fixed} />
        </Suspense>
      )}
      <MessageBox card={props} message={message} box={box} describedBy={message.problem ? problemId : effectId} />
      {!readOnly && (
        <Suspense fallback={null}>
          <DialogFilesButton nodeId={node.id} drafts={drafts} dispatch={dispatch} box={box} />
        </Suspense>
      )}
      <div className={styles.row} data-canvas-control>
        <DialogTarget node={node} store={store} dispatch={dispatch} disabled={fixed} />
        <Switch
          label={t('common:autoStart')}
          checked={node.autoStartSimulation ?? true}
          disabled={fixed}
          onChange={(checked) => void dispatch({ type: 'node.update', id: node.id, changes: { autoStartSimulation: checked } })}
        />
      </div>
      <div className={styles.actions} data-canvas-control>
        {!readOnly && <RunButton store={store} dispatch={dispatch} />}
        <Tooltip label={t('dialog.sendHint')} shortcut="Ctrl Enter" side="bottom">
          <Button
            variant="primary"
            className={styles.action}
            icon={<SendHorizontal size={14} aria-hidden />}
            busy={message.sending}
            disabled={readOnly}
            onClick={() => void message.send()}
          >
            {t('common:send')}
          </Button>
        </Tooltip>
      </div>
      <div className={styles.below} data-canvas-control>
        {!message.problem && message.text.trim() === '' && <OutsideNote nodeId={node.id} store={store} />}
        {!readOnly && (
          <Suspense fallback={null}>
            <MessageNotes {...{ node, message, limits, problemId, effectId, store, dispatch, drafts }} />
          </Suspense>
        )}
      </div>
    </section>
  );
}

type MessageBoxProps = { card: CardProps; message: Message; box: RefObject<HTMLTextAreaElement | null>; describedBy: string };

function MessageBox({ card: { node, store, readOnly }, message: { text, problem, write, send }, box, describedBy }: MessageBoxProps) {
  const { t } = useTranslation('canvas');
  // A read-only form shows what the team was asked, and in the demonstration what it will be asked.
  const asked = useStoreValue(store, ({ run: { execution } }) =>
    readOnly && execution?.dialogNodeId === node.id ? execution.initialTask : null,
  );
  const onKeyDown = (event: KeyboardEvent) => {
    if (readOnly || !isSendKey(event)) return;
    event.preventDefault();
    void send();
  };
  return (
    <textarea
      ref={box}
      className={`${messageBox.box} ${styles.box}`}
      data-canvas-control
      rows={4}
      maxLength={maxMessageLength}
      value={asked ?? ((readOnly && node.description) || text)}
      placeholder={t('dialog.placeholder')}
      aria-label={t('dialog.message', { title: node.title })}
      aria-invalid={problem ? true : undefined}
      aria-describedby={describedBy}
      readOnly={readOnly}
      onChange={(event) => write(event.target.value)}
      onKeyDown={onKeyDown}
    />
  );
}

function OutsideNote({ nodeId, store }: { nodeId: string; store: WorkspaceStore }) {
  const { t } = useTranslation('canvas');
  const isOutside = useStoreValue(store, (state) => isDialogOutside(nodeId, state));
  if (!isOutside) return null;
  return (
    <p className={styles.note} data-testid="dialog-outside">
      {t('card.outside')}
    </p>
  );
}

/** Pause or resume, while a run is active. A run of the past has no button. W2.12 */
function RunButton({ store, dispatch }: { store: WorkspaceStore; dispatch: Dispatch }) {
  const { t } = useTranslation('canvas');
  const phase = useStoreValue(store, (state) => (state.replay ? 'stopped' : state.run.phase));
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
      {t(paused ? 'dialog.resume' : phase === 'pausing' ? 'dialog.pausing' : 'common:pause')}
    </Button>
  );
}
