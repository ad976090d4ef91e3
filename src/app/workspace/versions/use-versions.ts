import { useCallback, useMemo, useState } from 'react';
import type { VersionGroup, VersionPage } from '../../../../contract/canvas-version.ts';
import type { Problem } from '../../../model/problem.ts';
import { useDebounced } from '../../../ui/use-debounced.ts';
import { useWorkspace } from '../../../workers/bridge/use-workspace.ts';
import { joinPages, usePages } from '../../server-data/use-pages.ts';

/** The list follows a save, and typing, after this time (ms). */
const reloadAfterMs = 300;
const pageSize = 50;
const none: readonly VersionGroup[] = [];

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

/** Reads the versions of the open project, and again after each save. */
export function useVersions(search: string): Versions {
  const projectId = useWorkspace(({ project }) => project?.id ?? null);
  const version = useWorkspace(({ save }) => save.version);
  const [turn, setTurn] = useState(0);
  // A save and a changed mark make the list out of date.
  const wanted = useMemo(() => ({ projectId, search: search.trim(), version, turn }), [projectId, search, version, turn]);
  const asked = useDebounced(wanted, reloadAfterMs);
  const id = asked.projectId;
  const { value, problem, loading, adding, more } = usePages('project.versions', id && { id, search: asked.search }, {
    page: (call, before: number | null) =>
      call('project.versions', {
        params: { id: id ?? '' },
        query: { limit: pageSize, ...(before !== null && { before }), ...(asked.search && { search: asked.search }) },
      }),
    join: joinPages<VersionPage>,
    when: asked,
    about: id,
    keepsProblem: true,
  });
  const next = value?.next ?? null;
  return {
    items: value?.items ?? none,
    page: value,
    problem,
    loading: loading || adding !== null || id === null,
    turn,
    reload: useCallback(() => setTurn((before) => before + 1), []),
    more: next === null ? null : () => more(next),
  };
}
