import { useState } from 'react';
import { Button } from '../../ui/controls/buttons/button.tsx';
import { IconButton } from '../../ui/controls/buttons/icon-button.tsx';
import { useProblemText } from '../../ui/i18n/use-problem-text.ts';
import { useTranslation } from '../../ui/i18n/use-translation.ts';
import { Check, Inbox, RefreshCw } from '../../ui/icons/icons.ts';
import { Loading } from '../../ui/loading/remote-state.tsx';
import { RedirectToForbidden } from '../routes/notices/redirect-to-forbidden.tsx';
import staff from '../staff/staff-page.module.css';
import { StaffPage } from '../staff/staff-page.tsx';
import { DeadLetterTable } from './dead-letter-table.tsx';
import styles from './dead-letters.module.css';
import { useDeadLetters } from './use-dead-letters.ts';

/** The maximum of rendered rows, and of rows that one press adds. */
const rowsPerStep = 100;

/** The executions and commands that failed in their last attempt, for staff to retry. R23.01 */
export function DeadLettersPage() {
  const { t } = useTranslation('dead-letters');
  const problemText = useProblemText();
  const [rows, setRows] = useState(rowsPerStep);
  const { list, isForbidden, problem, outcome, busyId, reload, retry, remove } = useDeadLetters();
  const letters = list.value ?? [];
  if (isForbidden) return <RedirectToForbidden />;
  return (
    <StaffPage title={t('title')} lead={t('lead')} back={t('words:toWorkspace')}>
      {problem && (
        <div className={staff.problem} role="alert">
          <p>{problemText(problem)}</p>
          <Button size="xs" onClick={reload}>
            {t('words:reload')}
          </Button>
        </div>
      )}
      <p className={outcome ? styles.outcome : 'visually-hidden'} role="status">
        {outcome && (
          <>
            <Check size={16} aria-hidden /> {t(`outcome.${outcome.kind}.${outcome.of}`)}
          </>
        )}
      </p>
      {!list.value && !problem && <Loading className={staff.waiting} text={t('loading')} size={18} />}
      {list.value?.length === 0 && (
        <div className={staff.empty}>
          <Inbox size={28} aria-hidden />
          <h2>{t('empty.title')}</h2>
          <p>{t('empty.text')}</p>
        </div>
      )}
      {letters.length > 0 && (
        <>
          <div className={staff.tools}>
            <span className={staff.count}>{t('shown', { count: letters.length })}</span>
            <IconButton label={t('words:reload')} icon={<RefreshCw size={16} />} onClick={reload} />
          </div>
          <DeadLetterTable
            letters={letters.slice(0, rows)}
            busyId={busyId}
            onRetry={(letter) => void retry(letter)}
            onRemove={(letter) => void remove(letter)}
          />
          {letters.length > rows && (
            <Button onClick={() => setRows(rows + rowsPerStep)}>
              {t('words:showMore', { count: Math.min(rowsPerStep, letters.length - rows) })}
            </Button>
          )}
        </>
      )}
    </StaffPage>
  );
}
