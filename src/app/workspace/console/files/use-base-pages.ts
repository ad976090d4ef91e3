import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { InputFile, InputFilesPage } from '../../../../../contract/input.ts';
import type { Problem } from '../../../../model/problem.ts';
import { useCall } from '../../../../workers/bridge/use-workspace.ts';
import type { Unloaded } from './tree-rows.ts';

export type LeftOut = InputFilesPage['leftOut'][number];
type Part = { pages: readonly InputFilesPage[]; problem: Problem | null };
/** The loaded pages by folder; those of a search are all at ''. */
type Shown = { search: string; parts: Readonly<Record<string, Part>> };

/** What a path of a base is. `leftOut`: it is known by its name only. */
export type BaseEntry = { path: string; file: InputFile; leftOut?: never } | { path: string; leftOut: LeftOut; file?: never };

/**
 * Loads the files of a set as they are looked at: first those of its top folder, or of a search, then a folder or a further page when it is asked
 * for. Until a search is answered, what was shown before stays.
 */
export function useBasePages(setId: string, search: string) {
  const call = useCall();
  const [shown, setShown] = useState<Shown | null>(null);
  const [loading, setLoading] = useState<string | null>(null);
  const wanted = useRef(search);

  const load = useCallback(
    async (query: { search: string; folder: string; after?: string | undefined }) => {
      const { folder, after } = query;
      setLoading(folder);
      const answer = await call('input.files', { params: { id: setId }, query });
      setLoading((before) => (before === folder ? null : before));
      if (wanted.current !== query.search) return;
      setShown((before) => {
        const parts = before?.search === query.search ? before.parts : {};
        const known = parts[folder]?.pages ?? [];
        // The same page may have been asked for by two presses.
        const earlier = after === undefined ? [] : known.slice(0, known.findIndex(({ next }) => next === after) + 1);
        const part = answer.ok ? { pages: [...earlier, answer.value], problem: null } : { pages: known, problem: answer.error };
        return { search: query.search, parts: { ...parts, [folder]: part } };
      });
    },
    [call, setId],
  );
  useEffect(() => {
    wanted.current = search;
    void load({ search, folder: '' });
  }, [search, load]);

  const contents = useMemo(() => contentsOf(shown?.parts ?? {}), [shown]);
  const root = shown?.parts[''];
  const shownSearch = shown?.search ?? search;
  return {
    ...contents,
    isLoaded: root !== undefined && root.pages.length > 0,
    search: shownSearch,
    loading,
    problem: Object.values(shown?.parts ?? {}).find(({ problem }) => problem !== null)?.problem ?? null,
    /** Loads a folder, or its next page where it has been loaded. */
    open: (folder: string) => void load({ search: shownSearch, folder, after: shown?.parts[folder]?.pages.at(-1)?.next ?? undefined }),
  };
}

function contentsOf(parts: Shown['parts']): { entries: readonly BaseEntry[]; unloaded: Unloaded } {
  const pages = Object.values(parts).flatMap((part) => part.pages);
  const isLoaded = (folder: string) => (parts[folder]?.pages.length ?? 0) > 0;
  const folders = pages.flatMap((page) => page.folders).filter(({ path }) => !isLoaded(path));
  return {
    entries: pages.flatMap(({ files, leftOut }): BaseEntry[] => [
      ...files.map((file) => ({ path: file.path, file })),
      ...leftOut.map((one) => ({ path: one.path, leftOut: one })),
    ]),
    unloaded: {
      folders: new Map(folders.map(({ path, count }) => [path, count])),
      more: new Set(Object.keys(parts).filter((folder) => typeof parts[folder]?.pages.at(-1)?.next === 'string')),
    },
  };
}
