import { useMemo } from 'react';
import { useImmer } from 'use-immer';
import { type Lead, leadStatuses } from '../../../contract/lead.ts';
import { Button } from '../../ui/controls/buttons/button.tsx';
import { IconButton } from '../../ui/controls/buttons/icon-button.tsx';
import { SearchField } from '../../ui/controls/fields/search-field.tsx';
import { Select } from '../../ui/controls/fields/select.tsx';
import { useProblemText } from '../../ui/i18n/use-problem-text.ts';
import { useTranslation } from '../../ui/i18n/use-translation.ts';
import { Inbox, RefreshCw } from '../../ui/icons/icons.ts';
import { Loading, LoadProblem } from '../../ui/loading/remote-state.tsx';
import { RedirectToForbidden } from '../routes/notices/redirect-to-forbidden.tsx';
import staff from '../staff/staff-page.module.css';
import { StaffPage } from '../staff/staff-page.tsx';
import { LeadDetails } from './lead-details.tsx';
import { LeadTable } from './lead-table.tsx';
import styles from './leads.module.css';
import { firstOrder, sortLeads } from './sort-leads.ts';
import { useLeads } from './use-leads.ts';

/** The maximum of rendered rows, and of rows that one press adds. */
const rowsPerStep = 100;
const none: readonly Lead[] = [];

/** The filter and the order of the shown requests. */
type View = { query: string; status: Lead['status'] | 'all'; order: typeof firstOrder; rows: number; openId: string | null };

/** All demo requests, for staff. P7.03 */
export function LeadsPage() {
  const { t, language } = useTranslation('leads');
  const problemText = useProblemText();
  const leads = useLeads();
  const items = leads.list.value ?? none;
  const [{ query, status, order, rows, openId }, update] = useImmer<View>({
    query: '',
    status: 'all',
    order: firstOrder,
    rows: rowsPerStep,
    openId: null,
  });
  const change = (changes: Partial<View>) => update((view) => void Object.assign(view, changes));

  const shown = useMemo(
    () => sortLeads(items, query, status === 'all' ? null : status, order, language),
    [items, query, status, order, language],
  );
  if (leads.isForbidden) return <RedirectToForbidden />;
  const problem = leads.problem && (
    <LoadProblem className={staff.problem} text={problemText(leads.problem)} size="xs" retry={t('words:repeat')} onRetry={leads.reload} />
  );

  return (
    <StaffPage title={t('title')} lead={t('lead')} back={t('words:toWorkspace')}>
      {!items.some(({ id }) => id === openId) && problem}
      {!leads.list.value && !leads.problem && <Loading className={staff.waiting} text={t('loading')} size={18} />}
      {leads.list.value?.length === 0 && (
        <div className={staff.empty}>
          <Inbox size={28} aria-hidden />
          <h2>{t('empty.title')}</h2>
          <p>{t('empty.text')}</p>
        </div>
      )}
      {items.length > 0 && (
        <>
          <div className={staff.tools}>
            <div className={styles.search}>
              <SearchField label={t('search')} value={query} onSearch={(text) => change({ query: text })} />
            </div>
            <div className={styles.filter}>
              <Select
                label={t('filter.label')}
                labelHidden
                value={status}
                options={[
                  { value: 'all', label: t('words:all') },
                  ...leadStatuses.map((value) => ({ value, label: `${t(`status.${value}`)} · ${countOf(items, value)}` })),
                ]}
                onChange={(next) => change({ status: next })}
              />
            </div>
            <span className={staff.count} role="status">
              {t('shown', { count: shown.length })}
            </span>
            <IconButton label={t('words:reload')} icon={<RefreshCw size={16} />} onClick={leads.reload} />
          </div>
          {shown.length === 0 ? (
            <p className={staff.waiting}>{t('nothing')}</p>
          ) : (
            <LeadTable
              leads={shown.slice(0, rows)}
              order={order}
              onOrder={(next) => change({ order: next })}
              onOpen={(id) => change({ openId: id })}
            />
          )}
          {shown.length > rows && (
            <Button onClick={() => change({ rows: rows + rowsPerStep })}>
              {t('words:showMore', { count: Math.min(rowsPerStep, shown.length - rows) })}
            </Button>
          )}
        </>
      )}
      <LeadDetails leads={leads} items={items} leadId={openId} problem={problem} onClose={() => change({ openId: null })} />
    </StaffPage>
  );
}

function countOf(leads: readonly Lead[], status: Lead['status']): number {
  return leads.filter((lead) => lead.status === status).length;
}
