import { type FormEvent, useId, useState } from 'react';
import type { FollowUp as FollowUpData } from '../../../../contract/executions/publishing.ts';
import { isDialog } from '../../../../rules/card.ts';
import { Button } from '../../../ui/controls/buttons/button.tsx';
import { Select } from '../../../ui/controls/fields/select.tsx';
import { TextArea } from '../../../ui/controls/fields/text-area.tsx';
import { Modal } from '../../../ui/controls/overlays/modal.tsx';
import { ProblemNote } from '../../../ui/controls/problem-note.tsx';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import { GitBranch } from '../../../ui/icons/icons.ts';
import { useWorkspace } from '../../../workers/bridge/use-workspace.ts';
import { useMutation } from '../../server-data/use-mutation.ts';
import { useSend } from '../use-send.ts';
import styles from './follow-up.module.css';

/** The server's limit for a task, in characters. */
const maxTaskLength = 100_000;

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
  const form = useId();
  const nodes = useWorkspace((state) => state.document.nodes);
  const dialogs = Object.values(nodes).filter(isDialog);
  const [dialogId, setDialogId] = useState(dialogs.find(({ id }) => id === prepared.dialogNodeId)?.id ?? dialogs[0]?.id);
  const [task, setTask] = useState(prepared.text);
  const { send, isBusy, problem } = useSend(onStarted);

  const start = (event: FormEvent) => {
    event.preventDefault();
    if (task.trim() === '') return;
    void send({ type: 'run.start', task, inputSetId: set.id, ...(dialogId && { dialogNodeId: dialogId }) });
  };
  return (
    <Modal
      open={open}
      onClose={onClose}
      size="l"
      title={t('followUpTitle', { branch })}
      description={t('followUpAbout')}
      footer={
        <Button type="submit" form={form} variant="primary" busy={isBusy} disabled={task.trim() === ''}>
          {t('words:start')}
        </Button>
      }
    >
      <form id={form} className={styles.form} onSubmit={start} data-testid="follow-up">
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
          <Select
            label={t('dialog')}
            value={dialogId ?? ''}
            options={dialogs.map(({ id, title }) => ({ value: id, label: title }))}
            onChange={setDialogId}
          />
        )}
        <TextArea
          label={t('words:task')}
          hint={comments > 0 ? t('taskHint', { count: comments }) : t('noComments')}
          grows
          rows={12}
          required
          maxLength={maxTaskLength}
          value={task}
          onChange={(event) => setTask(event.target.value)}
        />
        <ProblemNote problem={problem} className={styles.danger} />
      </form>
    </Modal>
  );
}
