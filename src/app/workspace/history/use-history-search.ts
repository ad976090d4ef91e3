import { useCallback, useEffect, useMemo, useState } from 'react';
import type { ResultItem } from '../../../../contract/result.ts';
import { searchHistory } from '../../../model/search-history.ts';
import { useWorkspace } from '../../../workers/bridge/use-workspace.ts';
import { type Reading, useReading } from '../use-reading.ts';
import { withOlder } from './with-older.ts';

/** Older runs are asked for once nothing was typed for so long. */
const askAfterMs = 300;

export type HistorySearch = Pick<Reading<ResultItem[]>, 'problem' | 'loading' | 'again'> & {
  found: ResultItem[];
  /** A run was removed: an answer that still has it is not believed. */
  removed: (id: string) => void;
};

/** What a query leaves of the history, and of the runs before it where there are some. W2.18 */
export function useHistorySearch(query: string): HistorySearch {
  const { items, whole } = useWorkspace((state) => state.history);
  const projectId = useWorkspace((state) => state.project?.id ?? null);
  const text = query.trim();
  const settled = useSettled(text);
  const reaches = !whole && text !== '';
  const subject = reaches && settled === text ? `${projectId} ${text}` : null;
  const [gone, setGone] = useState<ReadonlySet<string>>(new Set());
  const { value, problem, loading, again } = useReading(
    'searchResults',
    [projectId ?? '', text],
    subject && `${subject} ${items.length} ${items[0]?.id}`,
    subject,
  );
  const found = useMemo(() => searchHistory(withOlder(items, reaches ? value : null, gone), text), [items, value, gone, reaches, text]);
  const removed = useCallback((id: string) => setGone((before) => new Set(before).add(id)), []);
  return { found, problem, loading: loading || (reaches && settled !== text), again, removed };
}

/** A text as it was when it last stayed the same for a while. */
function useSettled(text: string): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), askAfterMs);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}
