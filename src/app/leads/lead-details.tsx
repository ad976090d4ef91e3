import { type ReactNode, useRef, useState } from 'react';
import { type Lead, leadPriorities, leadStatuses } from '../../../contract/lead.ts';
import { Button } from '../../ui/controls/buttons/button.tsx';
import { Facts } from '../../ui/controls/facts.tsx';
import { Select } from '../../ui/controls/fields/select.tsx';
import { ConfirmDialog } from '../../ui/controls/overlays/confirm-dialog.tsx';
import { Modal } from '../../ui/controls/overlays/modal.tsx';
import { useMomentText } from '../../ui/i18n/use-moment-text.ts';
import { useTranslation } from '../../ui/i18n/use-translation.ts';
import { Check, Trash2 } from '../../ui/icons/icons.ts';
import { LeadComments } from './lead-comments.tsx';
import styles from './leads.module.css';
import type { Leads } from './use-leads.ts';

type LeadDetailsProps = {
  leads: Leads;
  items: readonly Lead[];
  /** The open request; null when none is open. */
  leadId: string | null;
  /** The problem of the last change. */
  problem: ReactNode;
  onClose: () => void;
};

/** One request: the sender, their text, its status, and the staff's comments. */
export function LeadDetails({ leads, items, leadId, problem, onClose }: LeadDetailsProps) {
  const { t } = useTranslation('leads');
  const momentText = useMomentText();
  const [removing, setRemoving] = useState(false);
  // The window keeps its request while it fades out.
  const last = useRef(items[0]);
  const found = items.find(({ id }) => id === leadId);
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
            onChange={(next) => void leads.setStatus(lead.id, next)}
          />
          <Select
            label={t('details.priority')}
            value={lead.priority}
            options={leadPriorities.map((value) => ({ value, label: t(`priority.${value}`) }))}
            onChange={(next) => void leads.setPriority(lead.id, next)}
          />
        </div>
        <Facts className={styles.facts} facts={facts.filter(([, value]) => value !== '')}>
          <div className={styles.wide}>
            <dt>{t('details.comment')}</dt>
            <dd>{lead.comment || t('details.noComment')}</dd>
          </div>
        </Facts>
        {lead.consent && (
          <p className={styles.consent}>
            <Check size={14} aria-hidden />
            {t('details.consent')}
          </p>
        )}
        <LeadComments key={lead.id} leadId={lead.id} />
      </Modal>
      <ConfirmDialog
        open={removing}
        destructive
        title={t('removal.title', { name: lead.name })}
        action={t('words:delete')}
        onConfirm={() => void leads.remove(lead.id)}
        onClose={() => setRemoving(false)}
      >
        <p>{t('removal.text')}</p>
      </ConfirmDialog>
    </>
  );
}
