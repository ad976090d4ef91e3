import type { Lead } from '../../../contract/lead.ts';
import { Badge, type BadgeProps } from '../../ui/controls/badge.tsx';
import { useMomentText } from '../../ui/i18n/use-moment-text.ts';
import { useTranslation } from '../../ui/i18n/use-translation.ts';
import { ArrowDown, ArrowUp } from '../../ui/icons/icons.ts';
import staff from '../staff/staff-page.module.css';
import styles from './leads.module.css';
import { type LeadOrder, leadColumns, nextOrder } from './sort-leads.ts';

type LeadTableProps = {
  leads: readonly Lead[];
  order: LeadOrder;
  onOrder: (order: LeadOrder) => void;
  onOpen: (id: string) => void;
};

const statusTones: Record<Lead['status'], NonNullable<BadgeProps['tone']>> = {
  new: 'accent',
  contacted: 'warning',
  qualified: 'warning',
  won: 'success',
  lost: 'neutral',
};

/** The requests as a table with sortable columns; on a phone each is a separate block. */
export function LeadTable({ leads, order, onOrder, onOpen }: LeadTableProps) {
  const { t } = useTranslation('leads');
  const moment = useMomentText();
  return (
    <table className={staff.table}>
      <thead>
        <tr>
          {leadColumns.map((column) => {
            const sorted = order.column === column;
            return (
              <th key={column} scope="col" aria-sort={sorted ? (order.descending ? 'descending' : 'ascending') : 'none'}>
                <button
                  type="button"
                  title={t('sort.by', { column: t(`column.${column}`) })}
                  onClick={() => onOrder(nextOrder(order, column))}
                >
                  {t(`column.${column}`)}
                  {sorted && (order.descending ? <ArrowDown size={13} aria-hidden /> : <ArrowUp size={13} aria-hidden />)}
                </button>
              </th>
            );
          })}
        </tr>
      </thead>
      <tbody>
        {leads.map((lead) => (
          <tr key={lead.id} data-testid="lead">
            <td>
              <button type="button" className={styles.who} onClick={() => onOpen(lead.id)}>
                <span className="visually-hidden">{t('open')} </span>
                <strong>{lead.name}</strong>
                <span>{[lead.email, lead.company].filter(Boolean).join(' · ')}</span>
              </button>
            </td>
            <td>
              <Badge tone={statusTones[lead.status]}>{t(`status.${lead.status}`)}</Badge>
            </td>
            <td data-priority={lead.priority}>{t(`priority.${lead.priority}`)}</td>
            <td>{lead.source}</td>
            <td>
              <time dateTime={lead.createdAt}>{moment(lead.createdAt)}</time>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
