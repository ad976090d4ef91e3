import { type FolderLine, type FolderTree, foldersOf, folderTree, maxTreeBytes } from './folder-tree.ts';
import { namedPaths } from './named-paths.ts';

/**
 * The part of a run's files that goes into the prompt of each step. Of few files that a user has given: all names, and the texts of small ones. Of a
 * repository, and of many files: their folders, the files that the task names, and what they say to those who work on them. Agents read the rest by
 * tools: each turn of a step sends these texts again. A text of a user has at most 16 KiB, all together 48 KiB. One that the task names has 8 KiB, and
 * is named alone where it is longer; one for those who work on the files is shown up to 8 KiB. Each of the two kinds has 32 KiB together. Images have at most 6 MiB together; those of a repository are not shown.
 */
export const promptBudget = {
  given: 40,
  textBytes: 16 * 1024,
  bytes: 48 * 1024,
  shownBytes: 8 * 1024,
  shownTogether: 32 * 1024,
  imageBytes: 6 * 1024 * 1024,
};

/** A file of a run. `textBytes`: the length of its text, null where it has none. */
export type RunFile = { path: string; bytes: number; isGit: boolean; textBytes: number | null; sha256: string };

/** What a prompt shows: `listed` by name, `tree` by folder, `named` by the task, and the beginnings of texts, `most` bytes of each. */
export type PromptPlan = { listed: string[]; tree: FolderTree | null; named: string[]; texts: { path: string; most: number }[] };

/**
 * Decides what of a run's files the prompts of its steps show. The same files and task give the same plan. `folders`: those that have files, where these
 * are too many for a list, and `files` are only those of a user, those with a name in the task, and guides.
 */
export function planPromptFiles(files: readonly RunFile[], task: string, folders: readonly FolderLine[] | null = null): PromptPlan {
  const own = files.filter(({ isGit }) => !isGit);
  const given = own.length <= promptBudget.given ? own : [];
  const others = given.length === files.length ? [] : files.filter((file) => file.isGit || given.length === 0);
  const small = withinBudget(
    given.filter((file) => isSmall(file, promptBudget.textBytes)).map(({ path, textBytes }) => ({ path, most: textBytes ?? 0 })),
    promptBudget.bytes,
  );
  if (others.length === 0 && folders === null) return { listed: given.map(({ path }) => path), tree: null, named: [], texts: small };
  const paths = others.map(({ path }) => path);
  const byPath = new Map(others.map((file) => [file.path, file]));
  const known = folders ?? foldersOf(paths);
  const named = namedPaths(task, paths, known);
  const shown = named.files.flatMap((path) => {
    const file = byPath.get(path);
    return file && isSmall(file, promptBudget.shownBytes) ? [{ path, most: file.textBytes ?? 0 }] : [];
  });
  const guides = guidesOf(others, named.folders).filter(({ path }) => !shown.some((one) => one.path === path));
  const isListed = folders === null && others.reduce((sum, { path }) => sum + Buffer.byteLength(path) + lineBytes, 0) <= maxTreeBytes;
  return {
    listed: [...given, ...(isListed ? others : [])].map(({ path }) => path),
    tree: isListed ? null : folderTree(known),
    named: named.files,
    texts: [...small, ...withinBudget(guides, promptBudget.shownTogether), ...withinBudget(shown, promptBudget.shownTogether)],
  };
}

/** A line of a list beside its path: mark, size and unit. */
export const lineBytes = 20;

/** Texts for those who work on the files, the more binding first. */
export const guideNames = ['agents.md', 'claude.md', 'contributing.md', 'readme.md'];

/** Returns the guides of the root, and of the folders that the task names; one for several with the same content. */
function guidesOf(files: readonly RunFile[], named: readonly string[]): { path: string; most: number }[] {
  const folders = ['', ...named];
  const seen = new Set<string>();
  const found = files.flatMap(({ path, textBytes, sha256 }) => {
    const folder = path.slice(0, path.lastIndexOf('/') + 1);
    const rank = guideNames.indexOf(path.slice(folder.length).toLowerCase());
    const place = folders.indexOf(folder);
    return rank >= 0 && place >= 0 && textBytes !== null
      ? [{ path, sha256, place, rank, most: Math.min(textBytes, promptBudget.shownBytes) }]
      : [];
  });
  return found
    .sort((one, other) => one.place - other.place || one.rank - other.rank || (one.path < other.path ? -1 : 1))
    .filter(({ sha256 }) => !seen.has(sha256) && seen.add(sha256))
    .map(({ path, most }) => ({ path, most }));
}

function isSmall({ textBytes }: RunFile, most: number): boolean {
  return textBytes !== null && textBytes <= most;
}

/** Takes texts in their order, as many as fit. */
function withinBudget<Text extends { most: number }>(texts: readonly Text[], budget: number): Text[] {
  let bytes = 0;
  return texts.filter(({ most }) => {
    if (bytes + most > budget) return false;
    bytes += most;
    return true;
  });
}
