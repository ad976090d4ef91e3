import { posix } from 'node:path';
import type { AutomationGroup } from './automation-group.ts';
import { clones } from './clones.ts';
import { editors } from './editors.ts';
import { bots, servers } from './servers.ts';

const groups: readonly AutomationGroup[] = [...servers, ...bots, ...clones, ...editors];
const of = (kind: 'folders' | 'files' | 'stems' | 'endings') => groups.flatMap((group) => [...(group[kind] ?? [])]);
const folders: ReadonlySet<string> = new Set(of('folders'));
const files: ReadonlySet<string> = new Set(of('files'));
const stems = of('stems');
const endings = of('endings');
/** Endings of a file of settings, or of a script that a program loads as its settings. */
const ofSettings: ReadonlySet<string> = new Set([
  ...['.yml', '.yaml', '.toml', '.json', '.json5', '.jsonc', '.jsonnet', '.star', '.hcl', '.js', '.cjs', '.mjs', '.dockerfile'],
]);
/** A pipeline or an image in a file without an ending, which may have one of any name: `Jenkinsfile.release`, `Dockerfile.dev`. */
const bareStems = ['jenkinsfile', 'dockerfile', 'containerfile'];
/** Endings of a text about one, and of code that handles one. */
const others: ReadonlySet<string> = new Set([
  ...['.md', '.txt', '.html', '.css', '.json', '.ts', '.tsx', '.js', '.mjs', '.cjs', '.py', '.go', '.rs', '.java', '.kt', '.rb', '.cs'],
]);

/** Why a file of a run may go to a repository only after a person has ticked it. */
export type PublishCaution = 'automation' | 'unlisted';

/**
 * Tells why a person is asked before a file goes to a repository; null for no reason. `automation`: it is known to run by itself. `unlisted`: it is
 * new, and in the root or in a folder with a dot: programs that the list does not know look there. `isNew`: the repository does not have it.
 */
export function cautionOf(path: string, isNew: boolean): PublishCaution | null {
  if (isAutomation(path)) return 'automation';
  const folderNames = path.split('/').slice(0, -1);
  const isPlaceOfSettings = folderNames.length === 0 || folderNames.some((name) => comparable(name).startsWith('.'));
  return isNew && isPlaceOfSettings ? 'unlisted' : null;
}

/** Tells whether a file runs by itself once it is in a repository, at any depth, in any case, and in each spelling that a file system takes for it. */
export function isAutomation(path: string): boolean {
  const names = path.split('/').map(comparable);
  const last = names.at(-1) ?? '';
  const ending = posix.extname(last);
  const isStem = ofSettings.has(ending) && stems.some((stem) => isOfStem(last.slice(0, -ending.length), stem));
  const isBare = bareStems.some((stem) => isOfStem(last, stem)) && !others.has(ending);
  return (
    isStem ||
    isBare ||
    files.has(last) ||
    endings.some((one) => last.endsWith(one)) ||
    names.slice(0, -1).some((name) => folders.has(name)) ||
    names.some((name) => shortName.test(name))
  );
}

/** The second name that Windows gives a file: `GITHUB~1` is `.github`. */
const shortName = /^[^~]{1,8}~\d+(\.[^.]{0,3})?$/;

/**
 * Returns a name as file systems compare it: HFS+ ignores characters without width, NTFS the case, dots and spaces at the end, and what follows a
 * colon. Git refuses such spellings of `.git` for the same reason (`core.protectHFS`, `core.protectNTFS`).
 */
function comparable(given: string): string {
  const [file = ''] = given.split(':');
  const name = file
    .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
    .normalize('NFKC')
    .toLowerCase();
  let end = name.length;
  while (name[end - 1] === '.' || name[end - 1] === ' ') end -= 1;
  return name.slice(0, end);
}

function isOfStem(name: string, stem: string): boolean {
  return name === stem || name.startsWith(`${stem}-`) || name.startsWith(`${stem}.`);
}
