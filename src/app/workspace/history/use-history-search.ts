import { useCallback, useEffect, useMemo, useState } from 'react';
import type { ResultItem } from '../../../../contract/result.ts';
import type { FoundResults } from '../../../model/reader.ts';
import { useWorkspace } from '../../../workers/bridge/use-workspace.ts';
import { type Reading, useReading } from '../lists/use-reading.ts';
import { foundRuns } from './found-runs.ts';

/** Older runs are asked for once nothing was typed and the history has not changed for so long. */
const askAfterMs = 300;

export type HistorySearch = Pick<Reading<FoundResults>, 'problem' | 'loading' | 'again'> & {
  found: ResultItem[];
  /** How many there are in all, with those that the server has beyond what it sends. */
  total: number;
  /** A run was removed: an answer that still has it is not believed. */
  removed: (id: string) => void;
};

/** What a query leaves of the history, and of the runs before it where there are some. W2.18 */
export function useHistorySearch(query: string): HistorySearch {
  const { items, whole } = useWorkspace((state) => state.history);
  const projectId = useWorkspace((state) => state.project?.id ?? null);
  const text = query.trim();
  // The server has the runs before the history, and the whole of results that the history holds the beginning of.
  const reaches = text !== '' && (!whole || items.some(({ finalResultIsCut }) => finalResultIsCut));
  const subject = reaches ? `${projectId} ${text}` : null;
  const newest = items[0]?.id;
  const wanted = useMemo(() => ({ subject, key: `${subject} ${items.length} ${newest}` }), [subject, items.length, newest]);
  const settled = useSettled(wanted);
  const isSettled = settled.subject === subject;
  const [gone, setGone] = useState<ReadonlySet<string>>(new Set());
  const { value, problem, loading, again } = useReading(
    'searchResults',
    [projectId ?? '', text],
    subject && isSettled ? settled.key : null,
    isSettled ? subject : null,
  );
  const found = useMemo(() => foundRuns(items, value?.items ?? null, gone, text), [items, value, gone, text]);
  const total = found.length + (value ? value.total - value.items.length : 0);
  const removed = useCallback((id: string) => setGone((before) => new Set(before).add(id)), []);
  return { found, total, problem, loading: loading || (reaches && !isSettled), again, removed };
}

/** A value as it was when it last stayed the same for a while. */
function useSettled<T>(value: T): T {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), askAfterMs);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}
