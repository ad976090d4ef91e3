import en from '../../../../locales/en/content/simulated.json' with { type: 'json' };
import ru from '../../../../locales/ru/content/simulated.json' with { type: 'json' };
import { partOfRole } from '../../../../rules/simulated/compose-answer.ts';
import { plainText, taskWords } from '../../../../rules/simulated/task-words.ts';
import type { Conversation, EarlierTests, ModelRequest, ModelToolCall, ModelTurn } from '../language-model.ts';
import { fixOf } from './planted-fault.ts';
import { scriptedServerCall } from './server-call.ts';

const languages = { ru, en };

/** A longer file is not read: it would not come in one part (bytes). */
const maxBytes = 16_000;
const maxLines = 500;

/**
 * Returns the calls of the simulated model's next turn, or none when it answers. With a base tree it lists the files, reads two and searches a word
 * of the task, and a developer edits one of them, in its own language. Where tests have failed it edits the file that their log names. It calls one tool of a tool server that changes nothing. The same task, files and
 * tools give the same calls.
 */
export function scriptedCalls({ turn, tools = [], turns = [] }: Conversation): ModelToolCall[] {
  if (!turn) return [];
  const call = (name: string, args: object, number = 1): ModelToolCall => ({
    ...{ id: `simulated_${turns.length + 1}_${number}`, name, arguments: JSON.stringify(args) },
  });
  const failing = failingTests(turn);
  if (failing && builds(turn) && tools.some(({ name }) => name === 'edit_file')) return fixingCalls(failing, turn, turns, call);
  const readsFiles = turn.hasBaseTree && tools.some(({ name }) => name === 'list_files');
  const [listed, read] = turns;
  const { terms } = wordsOf(turn);
  if (!listed) {
    const asked = scriptedServerCall(tools, terms[0]);
    return [...(readsFiles ? [call('list_files', {})] : []), ...(asked ? [call(asked.name, asked.args, 2)] : [])];
  }
  if (!readsFiles) return [];
  if (!read) {
    const paths = chosenPaths(resultOf(listed, 0), terms);
    return [...paths.map((path, at) => call('read_file', { path }, at + 1)), call('search_files', { query: terms[0] }, paths.length + 1)];
  }
  if (turns.length > 2 || !builds(turn)) return [];
  const change = changeOf(read, turn);
  return change && tools.some(({ name }) => name === change.name) ? [call(change.name, change.args)] : [];
}

/** Returns the tests that failed before this turn, as a runner or its simulation tells; null for none. */
export function failingTests({ earlier }: Pick<ModelRequest, 'earlier'>): EarlierTests | null {
  const last = earlier.flatMap(({ tests = [] }) => tests).at(-1);
  return last && last.exitCode !== null && last.exitCode !== 0 ? last : null;
}

/** Reads the file that the log names, and edits it. */
function fixingCalls(
  { log }: EarlierTests,
  turn: ModelRequest,
  turns: readonly ModelTurn[],
  call: (name: string, args: object) => ModelToolCall,
): ModelToolCall[] {
  const path = pathIn(log);
  const [read] = turns;
  if (path === null || turns.length > 1) return [];
  if (!read) return [call('read_file', { path })];
  if (read.calls[0]?.isError) return [];
  const { change, fixed } = languages[turn.language].files;
  const fix = fixOf(
    withoutNumbers(resultOf(read, 0)),
    change.replace('{task}', () => noteOf(turn)),
    fixed,
  );
  return fix ? [call('edit_file', { path, ...fix })] : [];
}

/** Returns the first path in a log that is no test and whose language is known. */
function pathIn(log: string): string | null {
  const words = log.split(/[\s()'":,]+/);
  return words.find((word) => !/^(?:\/|file|node)/.test(word) && !/test|node_modules/i.test(word) && commentOf(word) !== null) ?? null;
}

/** Returns a line about what the calls have read, written and asked for, marked as simulated; empty without any. */
export function aboutCalls({ turn, turns = [], tools = [] }: Conversation): string {
  if (!turn || turns.length === 0) return '';
  const say = languages[turn.language].files;
  const pathsOf = (name: string) => turns.flatMap(({ calls }) => calls.filter((call) => call.name === name && !call.isError).map(pathOf));
  const [read, written] = [pathsOf('read_file'), ['edit_file', 'write_file'].flatMap(pathsOf)];
  const ofServers = new Set(tools.filter(({ isServerRead }) => isServerRead).map(({ name }) => name));
  const asked = turns.flatMap(({ calls }) => calls.filter(({ name, isError }) => ofServers.has(name) && !isError).map(({ name }) => name));
  const list = (paths: string[]) => paths.map((path) => `\`${path}\``).join(', ');
  const failure = failingTests(turn)
    ?.log.split('\n')
    .find((line) => line.includes('not ok'));
  return [
    ...(failure && builds(turn) ? [say.failure.replace('{failure}', () => failure.trim())] : []),
    ...(read.length > 0 ? [say.read.replace('{paths}', () => list(read))] : []),
    ...(asked.length > 0 ? [say.asked.replace('{tools}', () => list(asked))] : []),
    ...(written.length > 0 ? [say.written.replace('{paths}', () => list(written))] : []),
  ].join(' ');
}

/** Whether an agent changes code. With the files of a repository its script does that with tools, and hands over no files of its own. */
export function builds({ role }: Pick<ModelRequest, 'role'>): boolean {
  return partOfRole[role.toLowerCase()] === 'developer';
}

function wordsOf({ task, language }: ModelRequest) {
  const { stopWords, terms } = languages[language];
  return taskWords(task, new Set(stopWords.split(' ')), terms);
}

/** Returns the text of a result, which the model is given between fences. */
function resultOf({ calls }: ModelTurn, at: number): string {
  const lines = (calls[at]?.result ?? '').split('\n');
  const begin = lines.findIndex((line) => line.startsWith('~~~'));
  const end = begin < 0 ? -1 : lines.lastIndexOf(lines[begin] ?? '');
  return end > begin ? lines.slice(begin + 1, end).join('\n') : '';
}

function pathOf({ arguments: written }: ModelToolCall): string {
  const { path } = JSON.parse(written) as { path?: string };
  return path ?? '';
}

/** Returns the two files that a developer would read: one about the task or the project, and a source file. */
function chosenPaths(listed: string, terms: readonly string[]): string[] {
  const files = listed.split('\n').slice(0, maxLines).flatMap(listedFile);
  const best = files
    .filter(({ bytes }) => bytes <= maxBytes)
    .toSorted((a, b) => scoreOf(b.path, terms) - scoreOf(a.path, terms) || a.path.length - b.path.length);
  const source = best.find(({ path }) => commentOf(path) !== null && !isReadme(path));
  const about = best.find(({ path }) => isReadme(path)) ?? best.find(({ path }) => path !== source?.path);
  return [about, source].flatMap((file) => (file ? [file.path] : []));
}

function listedFile(line: string): { path: string; bytes: number }[] {
  const open = line.lastIndexOf(' (');
  const bytes = Number(line.slice(open + 2, -1));
  return open > 0 && line.endsWith(')') && Number.isInteger(bytes) ? [{ path: line.slice(0, open), bytes }] : [];
}

function isReadme(path: string): boolean {
  return (path.split('/').at(-1) ?? '').toLowerCase().startsWith('readme');
}

function scoreOf(path: string, terms: readonly string[]): number {
  const name = path.toLowerCase();
  const about = terms.filter((term) => name.includes(term.toLowerCase().slice(0, 5))).length;
  const isDeep = path.split('/').length > 4 || name.includes('test');
  return about * 4 + (name.includes('index') || name.includes('main') ? 2 : 0) - (isDeep ? 1 : 0);
}

type Change = { name: 'edit_file'; args: { path: string; old: string; new: string } } | { name: 'write_file'; args: object };

/** Adds a marked line behind the last line of the last file that was read, in the form of its language. */
function changeOf(read: ModelTurn, turn: ModelRequest): Change | null {
  const known = read.calls.flatMap((call, at) =>
    call.name === 'read_file' && !call.isError ? [{ path: pathOf(call), text: withoutNumbers(resultOf(read, at)) }] : [],
  );
  const last = known.at(-1);
  if (!last) return null;
  const note = languages[turn.language].files.change.replace('{task}', () => noteOf(turn));
  const comment = commentOf(last.path);
  if (!comment) return { name: 'write_file', args: { path: 'SIMULATED.md', content: `${note}\n` } };
  const { path, text } = last;
  const old = uniqueEnd(text);
  if (old === null) return { name: 'write_file', args: { path, content: `${text === '' ? '' : `${text}\n`}${comment(note)}\n` } };
  return { name: 'edit_file', args: { path, old, new: `${old}\n${comment(note)}` } };
}

/** Returns the subject of the task as a comment can have it. */
function noteOf(turn: ModelRequest): string {
  return plainText(wordsOf(turn).subject).replaceAll('*/', '').replaceAll('-->', '');
}

/** Returns the last lines of a text, as few as occur once in it; null where it has none. */
function uniqueEnd(text: string): string | null {
  const lines = text.split('\n');
  for (let count = 1; count <= lines.length; count += 1) {
    const end = lines.slice(-count).join('\n');
    if (end.trim() !== '' && text.indexOf(end) === text.lastIndexOf(end)) return end;
  }
  return null;
}

/** Returns the lines of a file as `read_file` numbers them. Its notes have no number. */
function withoutNumbers(result: string): string {
  return result
    .split('\n')
    .flatMap((line) => /^\d+\t(.*)$/s.exec(line)?.[1] ?? [])
    .join('\n');
}

const slashes = new Set([
  'ts',
  'tsx',
  'js',
  'jsx',
  'mjs',
  'cjs',
  'java',
  'c',
  'h',
  'cc',
  'cpp',
  'cs',
  'go',
  'rs',
  'kt',
  'swift',
  'php',
  'scss',
]);
const hashes = new Set(['py', 'rb', 'sh', 'yml', 'yaml', 'toml']);
const angles = new Set(['md', 'html', 'htm', 'xml', 'svg', 'vue']);

/** Returns how a file of this name has a comment on a line of its own; null where that is not known. */
function commentOf(path: string): ((note: string) => string) | null {
  const extension = path.slice(path.lastIndexOf('.') + 1).toLowerCase();
  if (slashes.has(extension)) return (note) => `// ${note}`;
  if (hashes.has(extension)) return (note) => `# ${note}`;
  if (angles.has(extension)) return (note) => `<!-- ${note} -->`;
  return extension === 'css' ? (note) => `/* ${note} */` : null;
}
