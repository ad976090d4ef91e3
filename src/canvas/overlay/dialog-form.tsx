import { type KeyboardEvent, useCallback, useEffect, useId, useRef, useState, useSyncExternalStore } from 'react';
import type { CanvasNode } from '../../../contract/canvas.ts';
import type { Dispatch } from '../../model/commands.ts';
import { failed, type Problem } from '../../model/problem.ts';
import { isLocked, type RunPhase } from '../../model/workspace-state.ts';
import type { WorkspaceStore } from '../../model/workspace-store.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Switch } from '../../ui/controls/switch.tsx';
import { Tooltip } from '../../ui/controls/tooltip.tsx';
import { useProblemText } from '../../ui/i18n/use-problem-text.ts';
import { useTranslation } from '../../ui/i18n/use-translation.ts';
import { Pause, Play, SendHorizontal } from '../../ui/icons.ts';
import type { CanvasView } from '../canvas-view.ts';
import type { DocumentIndex } from '../geometry/document-index.ts';
import { useStoreValue } from '../use-store-value.ts';
import type { DialogDrafts } from './dialog-drafts.ts';
import styles from './dialog-form.module.css';
import { DialogSettings } from './dialog-settings.tsx';
import { DialogTarget } from './dialog-target.tsx';
import { useOnCard } from './use-on-card.ts';
import { useUncovered } from './use-uncovered.ts';

/** The code of a message that never reached the server. */
const unreachable = 'network';
/** The server takes no longer task. */
const maxMessageLength = 100_000;

export type DialogFormProps = {
  nodeId: string;
  store: WorkspaceStore;
  /** Null where the form stands by itself, and on no card. */
  view: CanvasView | null;
  /** Where the other cards are, those that may lie over this one; null where there are none. */
  index: DocumentIndex | null;
  dispatch: Dispatch;
  drafts: DialogDrafts;
  readOnly: boolean;
};

/** The content of a dialog card, laid over the frame that the scene draws. */
export function DialogForm(props: DialogFormProps) {
  const { nodeId, store } = props;
  const node = useStoreValue(store, (state) => state.document.nodes[nodeId]);
  return node ? <DialogOnCard {...props} node={node} /> : null;
}

function DialogOnCard({ node, store, view, index, dispatch, drafts, readOnly }: DialogFormProps & { node: CanvasNode }) {
  const { t } = useTranslation('canvas');
  const problemText = useProblemText();
  const card = useRef<HTMLElement>(null);
  const problemId = useId();
  useOnCard(card, node, view);
  useUncovered(card, node.id, view, index);
  const phase = useStoreValue(store, (state) => state.run.phase);
  const fixed = useStoreValue(store, (state) => isLocked(state.run)) || readOnly;
  const online = useStoreValue(store, (state) => state.connection.online);
  // Who may only read sees what the team was asked.
  const asked = useStoreValue(store, ({ run: { execution } }) =>
    readOnly && execution?.dialogNodeId === node.id ? execution.initialTask : null,
  );
  const { text, sending, problem, write, send } = useMessage(node.id, drafts, dispatch, online);

  const onKeyDown = (event: KeyboardEvent) => {
    if (readOnly || event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || event.nativeEvent.isComposing) return;
    event.preventDefault();
    void send();
  };

  return (
    <section ref={card} className={styles.card} data-dialog-id={node.id} aria-label={t('dialog.label', { title: node.title })}>
      <p className={styles.goal} title={node.goal}>
        {node.goal}
      </p>
      {!readOnly && <DialogSettings node={node} dispatch={dispatch} disabled={fixed} />}
      <textarea
        className={styles.box}
        data-canvas-control
        rows={4}
        maxLength={maxMessageLength}
        value={asked ?? text}
        placeholder={t('dialog.placeholder')}
        aria-label={t('dialog.message', { title: node.title })}
        aria-invalid={problem ? true : undefined}
        aria-describedby={problem ? problemId : undefined}
        readOnly={readOnly}
        onChange={(event) => write(event.target.value)}
        onKeyDown={onKeyDown}
      />
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
      {problem && (
        <p id={problemId} className={styles.problem} role="alert">
          {problemText(problem)}
          {problem.code === unreachable && <span className={styles.kept}>{t('dialog.kept')}</span>}
        </p>
      )}
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

/** A dialog's unsent text, and sending it: the text goes once it is accepted, and stays with the problem when it is not. A server out of reach is no problem once it is back. */
function useMessage(nodeId: string, drafts: DialogDrafts, dispatch: Dispatch, online: boolean) {
  const subscribe = useCallback((listener: () => void) => drafts.subscribe(listener), [drafts]);
  const text = useSyncExternalStore(subscribe, () => drafts.read(nodeId));
  const [sending, setSending] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);

  const wasOnline = useRef(online);
  useEffect(() => {
    if (online && !wasOnline.current) setProblem((before) => (before?.code === unreachable ? null : before));
    wasOnline.current = online;
  }, [online]);

  const write = (next: string) => {
    drafts.write(nodeId, next);
    setProblem(null);
  };
  const send = async () => {
    if (sending) return;
    setSending(true);
    setProblem(null);
    const sent = drafts.read(nodeId);
    const outcome = await dispatch({ type: 'dialog.send', nodeId, text: sent }).catch(() => failed('engine.restarted'));
    setSending(false);
    if (outcome.ok) drafts.sent(nodeId, sent);
    else setProblem(outcome.error);
  };
  return { text, sending, problem, write, send };
}
