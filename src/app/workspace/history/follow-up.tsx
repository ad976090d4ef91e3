import { useId, useState } from 'react';
import { z } from 'zod';
import type { FollowUp as FollowUpData } from '../../../../contract/executions/publishing.ts';
import { isDialog } from '../../../../rules/card.ts';
import { Button } from '../../../ui/controls/buttons/button.tsx';
import { Modal } from '../../../ui/controls/overlays/modal.tsx';
import { ProblemNote } from '../../../ui/controls/problem-note.tsx';
import { Form } from '../../../ui/form/form.tsx';
import { FormSelect, FormTextArea } from '../../../ui/form/form-fields.tsx';
import { useZodForm } from '../../../ui/form/use-zod-form.ts';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import { GitBranch } from '../../../ui/icons/icons.ts';
import { useWorkspace } from '../../../workers/bridge/use-workspace.ts';
import { useMutation } from '../../server-data/use-mutation.ts';
import { useSend } from '../frame/use-send.ts';
import styles from './follow-up.module.css';

/** The server's limit for a task, in characters. */
const maxTaskLength = 100_000;
const followedUp = z.object({ dialogNodeId: z.string(), task: z.string().refine((task) => task.trim() !== '') });

/** Prepares a run that goes on with the branch of a published one, and shows its task before the start. C7.05 */
export function FollowUp({ executionId, onStarted }: { executionId: string; onStarted?: () => void }) {
  const { t } = useTranslation('publishing');
  const [prepared, setPrepared] = useState<FollowUpData | null>(null);
  const [isOpen, setOpen] = useState(false);
  const { call, isBusy, problem } = useMutation();
  const prepare = async () => {
    const made = await call('execution.followUp', { params: { id: executionId } });
    if (!made) return;
    setPrepared(made.value);
    setOpen(true);
  };
  const started = () => {
    setOpen(false);
    onStarted?.();
  };
  return (
    <div className={styles.followUp}>
      <Button size="s" icon={<GitBranch size={15} aria-hidden />} busy={isBusy} onClick={() => void prepare()}>
        {t('followUp')}
      </Button>
      <ProblemNote problem={problem} className={styles.danger} />
      {prepared && (
        <FollowUpWindow key={prepared.set.id} prepared={prepared} open={isOpen} onClose={() => setOpen(false)} onStarted={started} />
      )}
    </div>
  );
}

type FollowUpWindowProps = { prepared: FollowUpData; open: boolean; onClose: () => void; onStarted: () => void };

function FollowUpWindow({ prepared, open, onClose, onStarted }: FollowUpWindowProps) {
  const { branch, comments, set, leftOut, problem: unread } = prepared;
  const { t } = useTranslation('publishing');
  const formId = useId();
  const nodes = useWorkspace((state) => state.document.nodes);
  const dialogs = Object.values(nodes).filter(isDialog);
  const form = useZodForm(followedUp, {
    dialogNodeId: dialogs.find(({ id }) => id === prepared.dialogNodeId)?.id ?? dialogs[0]?.id ?? '',
    task: prepared.text,
  });
  const { send, isBusy, problem } = useSend(onStarted);
  const start = ({ task, dialogNodeId }: z.output<typeof followedUp>) =>
    send({ type: 'run.start', task, inputSetId: set.id, ...(dialogNodeId && { dialogNodeId }) });
  return (
    <Modal
      open={open}
      onClose={onClose}
      size="l"
      title={t('followUpTitle', { branch })}
      description={t('followUpAbout')}
      footer={
        <Button type="submit" form={formId} variant="primary" busy={isBusy} disabled={form.watch('task').trim() === ''}>
          {t('words:start')}
        </Button>
      }
    >
      <Form {...{ form, id: formId, problem, 'data-testid': 'follow-up' }} onSubmit={start}>
        <p className={styles.about}>
          {t('words:fileCount', { count: set.count })}
          {leftOut.length > 0 && `, ${t('followUpLeftOut', { count: leftOut.length })}`}
        </p>
        {unread && (
          <p role="alert" className={styles.danger}>
            {unread}
          </p>
        )}
        {dialogs.length > 1 && (
          <FormSelect
            {...{ form, name: 'dialogNodeId' }}
            label={t('dialog')}
            options={dialogs.map(({ id, title }) => ({ value: id, label: title }))}
          />
        )}
        <FormTextArea
          {...{ form, name: 'task', grows: true, rows: 12, required: true, maxLength: maxTaskLength }}
          label={t('words:task')}
          hint={comments > 0 ? t('taskHint', { count: comments }) : t('noComments')}
        />
      </Form>
    </Modal>
  );
}
