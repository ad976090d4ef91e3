import { type KeyboardEvent, Suspense, useId, useLayoutEffect, useRef } from 'react';
import type { CanvasNode } from '../../../../contract/canvas.ts';
import { DialogTarget } from '../../../canvas/overlay/dialog/dialog-target.tsx';
import { DialogFilesButton } from '../../../canvas/overlay/dialog/files/dialog-files-button.tsx';
import messageBox from '../../../canvas/overlay/dialog/message-box.module.css';
import { MessageNotes } from '../../../canvas/overlay/dialog/message-notes.tsx';
import { maxMessageLength, useMessage } from '../../../canvas/overlay/dialog/use-message.ts';
import { isLocked } from '../../../model/workspace-state.ts';
import { Button } from '../../../ui/controls/buttons/button.tsx';
import { useLeftOut } from '../../../ui/controls/fields/left-out.tsx';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import { SendHorizontal } from '../../../ui/icons/icons.ts';
import { isSendKey } from '../../../ui/typed-keys.ts';
import { useDispatch, useStore, useWorkspace } from '../../../workers/bridge/use-workspace.ts';
import panel from '../panel.module.css';
import { useWorkspaceContext } from '../workspace-context.ts';
import { giveFocusToForm, takeFocusOfForm } from './focus-of-form.ts';
import styles from './message-bar.module.css';
import { useBarInset } from './use-bar-inset.ts';
import { useBarredDialog } from './use-barred-dialog.ts';

/** A dialog's form in one bar, while its card is too small for it: its text, files, target and Send. It shares the text of the form. D4.05 */
export function MessageBar() {
  const nodeId = useBarredDialog();
  const node = useWorkspace((state) => (nodeId === null ? undefined : state.document.nodes[nodeId]));
  return node ? <Bar key={node.id} node={node} /> : null;
}

function Bar({ node }: { node: CanvasNode }) {
  const { t } = useTranslation('canvas');
  const store = useStore();
  const dispatch = useDispatch();
  const { drafts } = useWorkspaceContext();
  const frame = useRef<HTMLElement>(null);
  const box = useRef<HTMLTextAreaElement>(null);
  const problemId = useId();
  const effectId = useId();
  const isFixed = useWorkspace((state) => isLocked(state.run));
  const message = useMessage(node, { store, dispatch, drafts });
  const { text, sending, problem, write, send } = message;
  const limits = useLeftOut();
  useBarInset(frame, node.id);
  useLayoutEffect(() => {
    const { current } = box;
    takeFocusOfForm(current, node.id);
    return () => giveFocusToForm(current, node.id);
  }, [node.id]);

  const onKeyDown = (event: KeyboardEvent) => {
    if (!isSendKey(event)) return;
    event.preventDefault();
    void send();
  };
  return (
    <section
      ref={frame}
      className={`${panel.panel} ${styles.bar}`}
      aria-label={t('dialog.label', { title: node.title })}
      data-panel
      data-message-bar
      data-testid="message-bar"
      data-for={node.id}
    >
      <div className={styles.notes}>
        <MessageNotes {...{ node, message, limits, problemId, effectId, store, dispatch, drafts }} />
      </div>
      <div ref={limits.ref} className={styles.line}>
        <textarea
          ref={box}
          className={`${messageBox.box} ${styles.box}`}
          rows={1}
          maxLength={maxMessageLength}
          value={text}
          placeholder={t('dialog.placeholder')}
          aria-label={t('dialog.message', { title: node.title })}
          aria-invalid={problem ? true : undefined}
          aria-describedby={problem ? problemId : effectId}
          onChange={(event) => write(event.target.value)}
          onKeyDown={onKeyDown}
        />
        <Suspense fallback={null}>
          <DialogFilesButton nodeId={node.id} drafts={drafts} dispatch={dispatch} box={box} />
        </Suspense>
        <DialogTarget node={node} store={store} dispatch={dispatch} disabled={isFixed} />
        <Button
          variant="primary"
          className={styles.send}
          icon={<SendHorizontal size={15} aria-hidden />}
          busy={sending}
          title={t('dialog.sendHint')}
          onClick={() => void send()}
        >
          {t('dialog.send')}
        </Button>
      </div>
    </section>
  );
}
