import { useId } from 'react';
import { z } from 'zod';
import type { CanvasNode } from '../../../../contract/canvas.ts';
import { isLocked } from '../../../model/workspace-state.ts';
import { Button } from '../../../ui/controls/buttons/button.tsx';
import { Modal } from '../../../ui/controls/overlays/modal.tsx';
import { Form } from '../../../ui/form/form.tsx';
import { FormText, FormTextArea } from '../../../ui/form/form-fields.tsx';
import { useZodForm } from '../../../ui/form/use-zod-form.ts';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import { useWorkspace } from '../../../workers/bridge/use-workspace.ts';
import { usePanels } from '../frame/panels.tsx';
import { useSend } from '../frame/use-send.ts';
import { useWorkspaceContext } from '../frame/workspace-context.ts';

const texts = z.object({ title: z.string().trim().min(1), description: z.string().trim() });

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
  const locked = useWorkspace((state) => isLocked(state.run));
  const { send, problem } = useSend(onClose);
  const form = useZodForm(texts, { title: node.title, description: node.description ?? '' });
  const formId = useId();
  return (
    <Modal
      open
      onClose={onClose}
      title={t('startNode.title')}
      description={t('startNode.text')}
      footer={
        <>
          {hasAccount && (
            <Button variant="ghost" onClick={() => show({ window: { kind: 'connect', section: 'triggers' } })}>
              {ofTriggers('open')}
            </Button>
          )}
          <Button onClick={onClose}>{t('common:cancel')}</Button>
          <Button variant="primary" type="submit" form={formId} disabled={locked}>
            {t('words:save')}
          </Button>
        </>
      }
    >
      <Form {...{ form, id: formId, problem }} onSubmit={(changes) => send({ type: 'node.update', id: node.id, changes })}>
        <FormText {...{ form, name: 'title', maxLength: 200, autoFocus: true }} label={t('words:title')} error={t('words:fieldRequired')} />
        <FormTextArea {...{ form, name: 'description', rows: 3, maxLength: 4_000 }} label={t('words:description')} />
      </Form>
    </Modal>
  );
}
