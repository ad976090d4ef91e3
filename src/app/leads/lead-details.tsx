import { type ReactNode, useRef, useState } from 'react';
import { leadPriorities, leadStatuses } from '../../../contract/lead.ts';
import { Button } from '../../ui/controls/buttons/button.tsx';
import { Select } from '../../ui/controls/fields/select.tsx';
import { ConfirmDialog } from '../../ui/controls/overlays/confirm-dialog.tsx';
import { Modal } from '../../ui/controls/overlays/modal.tsx';
import { useMomentText } from '../../ui/i18n/use-moment-text.ts';
import { useTranslation } from '../../ui/i18n/use-translation.ts';
import { Check, Trash2 } from '../../ui/icons/icons.ts';
import { LeadComments } from './lead-comments.tsx';
import type { LeadStore, LeadsState } from './lead-store.ts';
import styles from './leads.module.css';

type LeadDetailsProps = {
  store: LeadStore;
  state: LeadsState;
  /** The open request; null when none is open. */
  leadId: string | null;
  /** The problem of the last change. */
  problem: ReactNode;
  onClose: () => void;
};

/** One request: the sender, their text, its status, and the staff's comments. */
export function LeadDetails({ store, state, leadId, problem, onClose }: LeadDetailsProps) {
  const { t } = useTranslation('leads');
  const momentText = useMomentText();
  const [removing, setRemoving] = useState(false);
  // The window keeps its request while it fades out.
  const last = useRef(state.items[0]);
  const found = state.items.find(({ id }) => id === leadId);
  if (found) last.current = found;
  const lead = last.current;
  if (!lead) return null;
  const when = momentText(lead.createdAt);
  const facts = [
    [
      t('details.contact'),
      <a key="mail" href={`mailto:${encodeURIComponent(lead.email).replaceAll('%40', '@')}`}>
        {lead.email}
      </a>,
    ],
    [t('details.company'), lead.company],
    [t('details.role'), lead.role],
  ] as const;
  return (
    <>
      <Modal
        open={found !== undefined && !removing}
        onClose={onClose}
        size="m"
        title={lead.name}
        description={`${t('details.came', { when })}, ${t('details.source', { source: lead.source })}`}
        footer={
          <Button variant="ghost" icon={<Trash2 size={16} aria-hidden />} onClick={() => setRemoving(true)}>
            {t('details.remove')}
          </Button>
        }
      >
        {problem}
        <div className={styles.choices}>
          <Select
            label={t('details.status')}
            value={lead.status}
            options={leadStatuses.map((value) => ({ value, label: t(`status.${value}`) }))}
            onChange={(next) => void store.setStatus(lead.id, next)}
          />
          <Select
            label={t('details.priority')}
            value={lead.priority}
            options={leadPriorities.map((value) => ({ value, label: t(`priority.${value}`) }))}
            onChange={(next) => void store.setPriority(lead.id, next)}
          />
        </div>
        <dl className={styles.facts}>
          {facts
            .filter(([, value]) => value !== '')
            .map(([name, value]) => (
              <div key={name}>
                <dt>{name}</dt>
                <dd>{value}</dd>
              </div>
            ))}
          <div className={styles.wide}>
            <dt>{t('details.comment')}</dt>
            <dd>{lead.comment || t('details.noComment')}</dd>
          </div>
        </dl>
        {lead.consent && (
          <p className={styles.consent}>
            <Check size={14} aria-hidden />
            {t('details.consent')}
          </p>
        )}
        <LeadComments key={lead.id} store={store} leadId={lead.id} comments={state.comments[lead.id] ?? null} />
      </Modal>
      <ConfirmDialog
        open={removing}
        destructive
        title={t('removal.title', { name: lead.name })}
        action={t('words:delete')}
        onConfirm={() => void store.remove(lead.id)}
        onClose={() => setRemoving(false)}
      >
        <p>{t('removal.text')}</p>
      </ConfirmDialog>
    </>
  );
}
