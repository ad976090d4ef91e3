import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { VersionGroup, VersionPage } from '../../../../contract/canvas-version.ts';
import type { Problem } from '../../../model/problem.ts';
import { useDebounced } from '../../../ui/use-debounced.ts';
import { useCall, useWorkspace } from '../../../workers/bridge/use-workspace.ts';

/** The list follows a save, and typing, after this time (ms). */
const reloadAfterMs = 300;
const pageSize = 50;

type Versions = {
  items: readonly VersionGroup[];
  /** The newest page: sizes and limits. */
  page: VersionPage | null;
  problem: Problem | null;
  loading: boolean;
  /** Counts the reloads that were asked for. */
  turn: number;
  /** Reads the list again, after a mark was changed. */
  reload: () => void;
  /** Loads older versions; null when there are none. */
  more: (() => void) | null;
};

type Loaded = { page: VersionPage; items: readonly VersionGroup[]; next: number | null };

/** Reads the versions of the open project, and again after each save. */
export function useVersions(search: string): Versions {
  const call = useCall();
  const projectId = useWorkspace(({ project }) => project?.id ?? null);
  const version = useWorkspace(({ save }) => save.version);
  const [loaded, setLoaded] = useState<Loaded | null>(null);
  const [problem, setProblem] = useState<Problem | null>(null);
  const [loading, setLoading] = useState(true);
  const [turn, setTurn] = useState(0);
  const latest = useRef(0);

  const load = useCallback(
    async (before: number | null) => {
      if (projectId === null) return;
      latest.current += 1;
      const asked = latest.current;
      setLoading(true);
      const text = search.trim();
      const answer = await call('project.versions', {
        params: { id: projectId },
        query: {
          limit: pageSize,
          ...(before !== null && { before }),
          ...(text && { search: text }),
        },
      });
      if (asked !== latest.current) return;
      setLoading(false);
      setProblem(answer.ok ? null : answer.error);
      if (!answer.ok) return;
      const page = answer.value;
      setLoaded((known) => {
        const items = before === null ? page.items : [...(known?.items ?? []), ...page.items];
        return { page: before === null ? page : (known?.page ?? page), items, next: page.next };
      });
    },
    [call, projectId, search],
  );

  // biome-ignore lint/correctness/useExhaustiveDependencies: a save and a changed mark make the list out of date
  const list = useMemo(() => ({ load }), [load, version, turn]);
  const settled = useDebounced(list, reloadAfterMs);
  useEffect(() => void settled.load(null), [settled]);

  const next = loaded?.next ?? null;
  return {
    items: loaded?.items ?? [],
    page: loaded?.page ?? null,
    problem,
    loading,
    turn,
    reload: useCallback(() => setTurn((before) => before + 1), []),
    more: next === null ? null : () => void load(next),
  };
}
