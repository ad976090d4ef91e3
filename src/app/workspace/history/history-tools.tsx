import { useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { IconButton } from '../../../ui/controls/buttons/icon-button.tsx';
import { SearchField } from '../../../ui/controls/fields/search-field.tsx';
import { Spinner } from '../../../ui/controls/spinner.tsx';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import { RefreshCw, Search } from '../../../ui/icons/icons.ts';
import { useWorkspaceContext } from '../frame/workspace-context.ts';
import { ClearHistory } from './clear-history.tsx';
import styles from './history.module.css';

type HistoryToolsProps = {
  query: string;
  onQuery: (query: string) => void;
  /** The number of runs, shown and in all. */
  count: string;
  reloading: boolean;
  onReload: () => void;
};

/** The tools above the list: search, reload, clear. W2.18 */
export function HistoryTools({ query, onQuery, count, reloading, onReload }: HistoryToolsProps) {
  const { t } = useTranslation('workspace');
  const { mobile } = useWorkspaceContext();
  const [searching, setSearching] = useState(query !== '');
  const field = useRef<HTMLInputElement>(null);
  const toggle = () => {
    flushSync(() => {
      setSearching(!searching);
      onQuery('');
    });
    // Only after a press: these tools also appear without one, while the user types elsewhere.
    field.current?.focus();
  };
  return (
    <div className={styles.tools}>
      <div className={styles.search}>
        {searching ? (
          <SearchField
            ref={field}
            label={t('history.search')}
            size={mobile ? 'xl' : 'm'}
            placeholder={t('history.searchPlaceholder')}
            found={<span className={styles.found}>{count}</span>}
            value={query}
            onSearch={onQuery}
          />
        ) : (
          <p className={styles.found}>{count}</p>
        )}
      </div>
      <IconButton
        label={t('history.searchToggle')}
        size={36}
        pressed={searching}
        icon={<Search size={16} />}
        onClick={toggle}
        data-testid="history-search-toggle"
      />
      <IconButton
        label={t('history.reload')}
        size={36}
        icon={reloading ? <Spinner size={16} /> : <RefreshCw size={16} />}
        onClick={onReload}
      />
      <ClearHistory size={36} />
    </div>
  );
}
