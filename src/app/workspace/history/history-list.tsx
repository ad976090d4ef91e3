import { useMemo, useState } from 'react';
import { Button } from '../../../ui/controls/button.tsx';
import { IconButton } from '../../../ui/controls/icon-button.tsx';
import { Spinner } from '../../../ui/controls/spinner.tsx';
import { TextField } from '../../../ui/controls/text-field.tsx';
import { useProblemText } from '../../../ui/i18n/use-problem-text.ts';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import { History, RefreshCw, Search, X } from '../../../ui/icons.ts';
import { useDispatch, useWorkspace } from '../../../workers/bridge/use-workspace.ts';
import { EmptyState } from '../empty-state.tsx';
import { useSurroundings } from '../workspace-context.ts';
import { ClearHistory } from './clear-history.tsx';
import styles from './history.module.css';
import { HistoryItem } from './history-item.tsx';
import { historyPage, pageSize, pressCounter } from './history-page.ts';
import { searchHistory } from './search-history.ts';

/** Search, and what it leaves of the history, a page at a time. `wide` is the console's form. */
export function HistoryList({ wide = false }: { wide?: boolean }) {
  const { t } = useTranslation('workspace');
  const problemText = useProblemText();
  const dispatch = useDispatch();
  const { mobile } = useSurroundings();
  const { items, status, error } = useWorkspace((state) => state.history);
  const [query, setQuery] = useState('');
  const [shownCount, setShownCount] = useState(pageSize);
  const found = useMemo(() => searchHistory(items, query), [items, query]);
  const { shown, more, most } = historyPage(found.length, shownCount, wide ? 'console' : 'panel');
  const [counts] = useState(() => pressCounter(() => performance.now()));
  const showMore = () => {
    if (counts()) setShownCount(shown + pageSize);
  };
  const [asking, setAsking] = useState(false);
  const reload = () => {
    setAsking(true);
    void dispatch({ type: 'history.reload' }).finally(() => setAsking(false));
  };
  const problem = error && (
    <div className={styles.problem} role="alert">
      <p>{problemText(error)}</p>
      <Button size="s" busy={asking} onClick={reload}>
        {t('history.retry')}
      </Button>
    </div>
  );

  if (problem && items.length === 0) return problem;
  if (status === 'loading' && !asking && items.length === 0) {
    return (
      <p className={styles.loading} role="status">
        <Spinner size={16} /> {t('history.loading')}
      </p>
    );
  }
  if (items.length === 0) {
    return (
      <EmptyState
        icon={<History size={19} aria-hidden />}
        title={t('history.emptyTitle')}
        action={
          <Button size="s" busy={asking} icon={<RefreshCw size={14} aria-hidden />} onClick={reload}>
            {t('history.refresh')}
          </Button>
        }
      >
        {t('history.empty')}
      </EmptyState>
    );
  }
  return (
    <div className={styles.body} data-wide={wide || undefined}>
      <div className={styles.tools}>
        <div className={styles.search}>
          <TextField
            label={t('history.search')}
            labelHidden
            size={mobile ? 'xl' : 'm'}
            placeholder={t('history.searchPlaceholder')}
            lead={<Search size={16} aria-hidden />}
            trail={
              query && (
                <span className={styles.found}>
                  {t('history.found', { found: found.length, total: items.length })}
                  <IconButton label={t('history.clearSearch')} size={24} icon={<X size={14} />} onClick={() => setQuery('')} />
                </span>
              )
            }
            value={query}
            onChange={(event) => {
              setQuery(event.target.value);
              setShownCount(pageSize);
            }}
            onKeyDown={(event) => event.key === 'Escape' && setQuery('')}
          />
        </div>
        <IconButton
          label={t('history.reload')}
          size={36}
          icon={status === 'loading' ? <Spinner size={16} /> : <RefreshCw size={16} />}
          onClick={reload}
        />
        <ClearHistory size={36} />
      </div>
      {problem}
      <ul className={styles.list}>
        {found.slice(0, shown).map((item) => (
          <HistoryItem key={item.id} item={item} query={query} />
        ))}
        {found.length === 0 && <li className={styles.loading}>{t('history.nothingFound', { query: query.trim() })}</li>}
        {more === 0 && most !== null && <li className={styles.loading}>{t('history.mostShown', { most })}</li>}
        {more > 0 && (
          <li>
            <Button wide onClick={showMore}>
              {t('history.more', { count: more })}
            </Button>
          </li>
        )}
      </ul>
    </div>
  );
}
