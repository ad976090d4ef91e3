import { type FormEvent, useId, useRef, useState } from 'react';
import type { CanvasNode } from '../../../../contract/canvas.ts';
import { isLocked } from '../../../model/workspace-state.ts';
import { Button } from '../../../ui/controls/buttons/button.tsx';
import { TextArea } from '../../../ui/controls/fields/text-area.tsx';
import { TextField } from '../../../ui/controls/fields/text-field.tsx';
import { Modal } from '../../../ui/controls/overlays/modal.tsx';
import { useProblemText } from '../../../ui/i18n/use-problem-text.ts';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import { useWorkspace } from '../../../workers/bridge/use-workspace.ts';
import { usePanels } from '../panels.tsx';
import { useSend } from '../use-send.ts';
import { useWorkspaceContext } from '../workspace-context.ts';
import styles from './start-node-settings.module.css';

/** The settings of a start node: its texts, and its effect on a run. R24 */
export function StartNodeSettings() {
  const { panels, show } = usePanels();
  const nodeId = panels.window?.kind === 'startNode' ? panels.window.nodeId : null;
  const node = useWorkspace((state) => (nodeId === null ? undefined : state.document.nodes[nodeId]));
  return node ? <Settings key={node.id} node={node} onClose={() => show({ window: null })} /> : null;
}

function Settings({ node, onClose }: { node: CanvasNode; onClose: () => void }) {
  const { t } = useTranslation('workspace');
  const { t: ofTriggers } = useTranslation('start-triggers');
  const { show } = usePanels();
  const hasAccount = useWorkspaceContext().account !== null;
  const problemText = useProblemText();
  const locked = useWorkspace((state) => isLocked(state.run));
  const [title, setTitle] = useState(node.title);
  const [description, setDescription] = useState(node.description ?? '');
  const { send, problem } = useSend(onClose);
  const field = useRef<HTMLInputElement>(null);
  const formId = useId();

  const save = (event: FormEvent) => {
    event.preventDefault();
    if (!title.trim()) return field.current?.focus();
    const changes = { title: title.trim(), description: description.trim() };
    void send({ type: 'node.update', id: node.id, changes });
  };

  return (
    <Modal
      open
      onClose={onClose}
      title={t('startNode.title')}
      description={t('startNode.text')}
      initialFocus={field}
      footer={
        <>
          {hasAccount && (
            <Button variant="ghost" onClick={() => show({ window: { kind: 'connect', section: 'triggers' } })}>
              {ofTriggers('open')}
            </Button>
          )}
          <Button onClick={onClose}>{t('common:cancel')}</Button>
          <Button variant="primary" type="submit" form={formId} disabled={locked || !title.trim()}>
            {t('words:save')}
          </Button>
        </>
      }
    >
      <form id={formId} className={styles.form} onSubmit={save}>
        <TextField
          ref={field}
          label={t('words:title')}
          maxLength={200}
          value={title}
          error={title.trim() ? (problem ? problemText(problem) : undefined) : t('words:fieldRequired')}
          onChange={(event) => setTitle(event.target.value)}
        />
        <TextArea
          label={t('words:description')}
          rows={3}
          maxLength={4_000}
          value={description}
          onChange={(event) => setDescription(event.target.value)}
        />
      </form>
    </Modal>
  );
}
