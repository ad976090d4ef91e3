import { type FolderLine, foldersOf } from './folder-tree.ts';

/** The most files that a task names, and the most that one name may mean: a name like `index.ts` says little in a large repository. */
const maxNamed = 20;
const maxOfOneName = 5;
/** The longest part of a task that is searched for names (UTF-16 units). */
const maxSearched = 64 * 1024;

/** Files and folders that a task names, by path. Folders end with a slash. */
type NamedPaths = { files: string[]; folders: string[] };

/**
 * Finds the files and folders of a list that a task names: by their paths, by ends of these, or by their names. A name without a dot or slash is one
 * only where it is written as the file is. `known`: the folders that have files, where `paths` are only those with names of the task.
 */
export function namedPaths(task: string, paths: readonly string[], known: readonly FolderLine[] = foldersOf(paths)): NamedPaths {
  const words = wordsOf(task.slice(0, maxSearched));
  if (words.size === 0) return { files: [], folders: [] };
  const names = new Map<string, string[]>();
  const folders = new Set<string>();
  for (const path of paths) {
    const name = path.slice(path.lastIndexOf('/') + 1);
    for (const key of keysOf(name)) if (words.has(key)) push(names, key, path);
  }
  for (const { path } of known) {
    for (let at = path.indexOf('/'); at >= 0; at = path.indexOf('/', at + 1)) {
      const folder = path.slice(0, at);
      if (words.get(folder.slice(folder.lastIndexOf('/') + 1).toLowerCase())?.some((word) => isEndOf(word, folder)))
        folders.add(`${folder}/`);
    }
  }
  const files = new Set<string>();
  for (const [key, found] of names) for (const path of chosen(words.get(key) ?? [], found)) files.add(path);
  return { files: [...files].sort().slice(0, maxNamed), folders: [...folders].sort().slice(0, maxNamed) };
}

/** Returns the names of files that a task may mean, and perhaps others. */
export function namesIn(task: string): string[] {
  return [...wordsOf(task.slice(0, maxSearched)).keys()].map((key) => (key.startsWith('=') ? key.slice(1) : key));
}

/** Returns the words of a task that may be names, by the keys of their last segments: as they are written, and in lower case for those with a dot or slash. */
function wordsOf(task: string): Map<string, string[]> {
  const words = new Map<string, string[]>();
  for (const [found] of task.matchAll(/[^\s"'`<>()[\]{}|,;*?!«»“”„]+/g)) {
    const word = bareWord(found);
    if (word === '') continue;
    const isPath = word.includes('/') || found.endsWith('/');
    const last = word.slice(word.lastIndexOf('/') + 1);
    push(words, isPath || last.includes('.') ? last.toLowerCase() : `=${last}`, isPath ? `/${word}` : word);
  }
  return words;
}

/** Returns a word without what is around a path: `./` and `/` before it, and slashes, points, colons and numbers of lines behind it. */
function bareWord(found: string): string {
  let from = 0;
  while (found[from] === '/' || (found[from] === '.' && found[from + 1] === '/')) from += 1;
  let to = endOf(found, from, './:');
  for (let at = endOf(found, from, digits, to); at < to && found[at - 1] === ':'; at = endOf(found, from, digits, to))
    to = endOf(found, from, './:', at);
  return found.slice(from, to);
}

const digits = '0123456789';

/** Returns where a word ends without some characters behind it. */
function endOf(text: string, from: number, without: string, end = text.length): number {
  let to = end;
  while (to > from && without.includes(text[to - 1] as string)) to -= 1;
  return to;
}

/** How a file's name may be written: in any case, or exactly. */
function keysOf(name: string): string[] {
  return [name.toLowerCase(), `=${name}`];
}

/** Of the files with one name those that a path means, and else all of them, if they are few. */
function chosen(words: readonly string[], found: readonly string[]): readonly string[] {
  const meant = found.filter((path) => words.some((word) => isEndOf(word, path)));
  if (meant.length > 0) return meant.slice(0, maxNamed);
  return words.some((word) => !word.startsWith('/')) && found.length <= maxOfOneName ? found : [];
}

/** Whether a word with a slash is a path, or its end from a folder on. */
function isEndOf(word: string, path: string): boolean {
  return word.startsWith('/') && `/${path}`.toLowerCase().endsWith(word.toLowerCase());
}

function push(map: Map<string, string[]>, key: string, value: string): void {
  const known = map.get(key);
  if (known) known.push(value);
  else map.set(key, [value]);
}
