import { useMemo } from 'react';
import type { InputFile, InputFilesPage } from '../../../../../contract/input.ts';
import { usePages } from '../../../server-data/use-pages.ts';
import type { Unloaded } from './tree-rows.ts';

export type LeftOut = InputFilesPage['leftOut'][number];
/** The loaded pages by folder; those of a search are all at ''. */
type Parts = Readonly<Record<string, readonly InputFilesPage[]>>;
type Place = { folder: string; after: string | undefined };

/** What a path of a base is. `leftOut`: it is known by its name only. */
export type BaseEntry = { path: string; file: InputFile; leftOut?: never } | { path: string; leftOut: LeftOut; file?: never };

/**
 * Loads the files of a set as they are looked at: first those of its top folder, or of a search, then a folder or a further page when it is asked
 * for. Until a search is answered, what was shown before stays.
 */
export function useBasePages(setId: string, search: string) {
  const remote = usePages(
    'input.files',
    { setId, search },
    {
      page: (call, at: Place | null) => call('input.files', { params: { id: setId }, query: { search, folder: '', ...at } }),
      join: (known: { search: string; parts: Parts } | null, page, at) => {
        const { folder = '', after } = at ?? {};
        const pages = known?.parts[folder] ?? [];
        // The same page may have been asked for by two presses.
        const earlier = after === undefined ? [] : pages.slice(0, pages.findIndex(({ next }) => next === after) + 1);
        return { search, parts: { ...known?.parts, [folder]: [...earlier, page] } };
      },
      about: setId,
    },
  );
  const { problem, loading, adding, more, again } = remote;
  // What was shown before stays until a search is answered, not after it has failed.
  const shown = problem && remote.value?.search !== search ? null : remote.value;
  const contents = useMemo(() => contentsOf(shown?.parts ?? {}), [shown]);
  return {
    ...contents,
    isLoaded: shown !== null,
    search: shown?.search ?? search,
    loading: adding?.folder ?? (loading ? '' : null),
    problem,
    again,
    /** Loads a folder, or its next page where it has been loaded. */
    open: (folder: string) => more({ folder, after: shown?.parts[folder]?.at(-1)?.next ?? undefined }),
  };
}

function contentsOf(parts: Parts): { entries: readonly BaseEntry[]; unloaded: Unloaded } {
  const pages = Object.values(parts).flat();
  const isLoaded = (folder: string) => parts[folder] !== undefined;
  const folders = pages.flatMap((page) => page.folders).filter(({ path }) => !isLoaded(path));
  return {
    entries: pages.flatMap(({ files, leftOut }): BaseEntry[] => [
      ...files.map((file) => ({ path: file.path, file })),
      ...leftOut.map((one) => ({ path: one.path, leftOut: one })),
    ]),
    unloaded: {
      folders: new Map(folders.map(({ path, count }) => [path, count])),
      more: new Set(Object.keys(parts).filter((folder) => typeof parts[folder]?.at(-1)?.next === 'string')),
    },
  };
}
