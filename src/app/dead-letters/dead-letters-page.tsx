import { useState } from 'react';
import { useObserved } from '../../state/use-observed.ts';
import { Button } from '../../ui/controls/buttons/button.tsx';
import { IconButton } from '../../ui/controls/buttons/icon-button.tsx';
import { useProblemText } from '../../ui/i18n/use-problem-text.ts';
import { useTranslation } from '../../ui/i18n/use-translation.ts';
import { Check, Inbox, RefreshCw } from '../../ui/icons/icons.ts';
import { Loading } from '../../ui/loading/remote-state.tsx';
import { useApiList } from '../api-list/use-api-list.ts';
import { RedirectToForbidden } from '../routes/notices/redirect-to-forbidden.tsx';
import staff from '../staff/staff-page.module.css';
import { StaffPage } from '../staff/staff-page.tsx';
import { DeadLetterStore } from './dead-letter-store.ts';
import { DeadLetterTable } from './dead-letter-table.tsx';
import styles from './dead-letters.module.css';

/** The maximum of rendered rows, and of rows that one press adds. */
const rowsPerStep = 100;

/** The executions and commands that failed in their last attempt, for staff to retry. R23.01 */
export function DeadLettersPage({ apiBase }: { apiBase: string }) {
  const { t } = useTranslation('dead-letters');
  const problemText = useProblemText();
  const store = useApiList(apiBase, (api) => new DeadLetterStore(api));
  const [rows, setRows] = useState(rowsPerStep);
  const { status, isForbidden, problem, items: letters, outcome, busyId } = useObserved(store, store.get);
  if (isForbidden) return <RedirectToForbidden />;
  return (
    <StaffPage title={t('title')} lead={t('lead')} back={t('words:toWorkspace')}>
      {problem && (
        <div className={staff.problem} role="alert">
          <p>{problemText(problem)}</p>
          <Button size="xs" onClick={() => void store.load()}>
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
      {status === 'loading' && <Loading className={staff.waiting} text={t('loading')} size={18} />}
      {status === 'ready' && letters.length === 0 && (
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
            <IconButton label={t('words:reload')} icon={<RefreshCw size={16} />} onClick={() => void store.load()} />
          </div>
          <DeadLetterTable
            letters={letters.slice(0, rows)}
            busyId={busyId}
            onRetry={(letter) => void store.retry(letter)}
            onRemove={(letter) => void store.remove(letter)}
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
