import { stripVTControlCharacters } from 'node:util';
import en from '../../../../locales/en/content/simulated.json' with { type: 'json' };
import enTests from '../../../../locales/en/content/simulated-tests.json' with { type: 'json' };
import ru from '../../../../locales/ru/content/simulated.json' with { type: 'json' };
import ruTests from '../../../../locales/ru/content/simulated-tests.json' with { type: 'json' };
import { partOfRole } from '../../../../rules/simulated/compose-answer.ts';
import { plainText, wordsOf } from '../../../../rules/simulated/task-words.ts';
import type { Conversation, EarlierTests, ModelRequest, ModelToolCall, ModelTurn } from '../language-model.ts';
import { fixOf, type PlantedFile, type PlantedWords, plantInRepository, type SeenRepository, samplesFor } from './planted-tests.ts';
import { scriptedServerCall } from './server-call.ts';

const languages = { ru, en };

/** What a test says that the simulation has planted. */
const plantedWords = { ru: ruTests, en: enTests };

/** Languages by the extensions of their files, and what stands before and behind a comment on a line of its own. */
const forms: readonly [extension: RegExp, begin: string, end: string][] = [
  [/^(?:tsx?|jsx?|mjs|cjs|java|c|h|cc|cpp|cs|go|rs|kt|swift|php|scss)$/, '// ', ''],
  [/^(?:py|rb|sh|ya?ml|toml)$/, '# ', ''],
  [/^(?:md|html?|xml|svg|vue)$/, '<!-- ', ' -->'],
  [/^css$/, '/* ', ' */'],
];

/** A longer file is not read: it would not come in one part (bytes). */
const maxBytes = 16_000;
const maxLines = 500;
/** The tools by which the script changes files. */
const changing = new Set(['edit_file', 'write_file']);

/**
 * Returns the calls of the simulated model's next turn, or none when it answers. With a base tree it lists the files, reads two and searches a word
 * of the task, and a developer edits one of them, in its own language. In the first round of a loop that executed tests repeat, it writes a rule with a
 * fault instead, and a test of it, where those are tests of Node. Where tests have failed it edits the file that their log names. After a change it
 * has the tests executed, if it may. It calls one tool of a tool server that changes nothing. The same task, files and tools give the same calls.
 */
export function scriptedCalls({ turn, tools = [], turns = [] }: Conversation): ModelToolCall[] {
  if (!turn) return [];
  const call = (name: string, args: object, number = 1): ModelToolCall => ({
    id: `simulated_${turns.length + 1}_${number}`,
    name,
    arguments: JSON.stringify(args),
  });
  const has = (tool: string) => tools.some(({ name }) => name === tool);
  const last = turns.at(-1);
  if (last?.calls.some(({ name, isError }) => changing.has(name) && !isError)) return has('run_tests') ? [call('run_tests', {})] : [];
  const failing = failingTests(turn);
  if (failing && builds(turn) && has('edit_file')) return fixingCalls(failing, turn, turns, call);
  const readsFiles = turn.hasBaseTree && has('list_files');
  const [listed, read] = turns;
  const { terms } = wordsOf(turn, languages).words;
  if (!listed) {
    const asked = scriptedServerCall(tools, terms[0]);
    return [...(readsFiles ? [call('list_files', {})] : []), ...(asked ? [call(asked.name, asked.args, 2)] : [])];
  }
  if (!readsFiles) return [];
  const paths = chosenPaths(resultOf(listed, 0), terms);
  if (!read) {
    const samples = builds(turn) && turn.testedBy !== undefined ? samplesFor(pathsIn(listed)) : [];
    const wanted = [...new Set([...paths, ...samples])];
    return [...wanted.map((path, at) => call('read_file', { path }, at + 1)), call('search_files', { query: terms[0] }, wanted.length + 1)];
  }
  if (turns.length > 2 || !builds(turn)) return [];
  const seen = seenBy(turn, listed, read);
  const planted = has('write_file') && plantedFiles(turn, turns);
  if (planted && !planted.some(({ path }) => seen.paths.includes(path))) return planted.map((file, at) => call('write_file', file, at + 1));
  const change = changeOf(seen, turn);
  return change && has(change.name) ? [call(change.name, change.args)] : [];
}

/** The repository as the first two turns have shown it. */
function seenBy(turn: ModelRequest, listed: ModelTurn, read: ModelTurn): SeenRepository {
  const known = new Map(read.calls.flatMap((one, at) => readFile(read, one, at)));
  const { terms } = wordsOf(turn, languages).words;
  const source = chosenPaths(resultOf(listed, 0), terms).findLast((path) => known.has(path)) ?? '';
  return { paths: pathsIn(listed), textOf: (path) => known.get(path) ?? '', source };
}

/** The files that the first round of a tested loop plants in a repository that it has read: null where its tests cannot be written. */
function plantedFiles(turn: ModelRequest, [listed, read]: readonly ModelTurn[]): PlantedFile[] | null | undefined {
  if (turn.testedBy === undefined || !builds(turn) || !turn.hasBaseTree || !listed || !read) return undefined;
  return plantInRepository(turn.testedBy, seenBy(turn, listed, read), wordsOfTests(turn));
}

/** The words of planted files, in the language of the run. */
export function wordsOfTests(turn: ModelRequest): PlantedWords {
  const { main, boundary, accepted } = plantedWords[turn.language];
  return { note: noteOf(turn), main, boundary, accepted };
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
  const path = pathIn(log, plantedWords[turn.language].accepted);
  const [read] = turns;
  if (path === null || turns.length > 1) return [];
  if (!read) return [call('read_file', { path })];
  if (read.calls[0]?.isError) return [];
  const fix = fixOf(withoutNumbers(resultOf(read, 0)), noteOf(turn), languages[turn.language].files.fixed);
  return fix ? [call('edit_file', { path, ...fix })] : [];
}

/** Returns the path that a planted test has named in a log, else the first one that is no test and whose language is known. */
function pathIn(log: string, accepted: string): string | null {
  const planted = log.split('\n').find((line) => line.includes(`: ${accepted}`));
  const own = planted
    ?.slice(0, planted.indexOf(`: ${accepted}`))
    .split(/[\s"'`]+/)
    .at(-1);
  if (own) return own;
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
  return [
    ...(builds(turn) ? aboutFailure(turn) : []),
    ...(read.length > 0 ? [say.read.replace('{paths}', () => list(read))] : []),
    ...(asked.length > 0 ? [say.asked.replace('{tools}', () => list(asked))] : []),
    ...(written.length > 0 ? [say.written.replace('{paths}', () => list(written))] : []),
    ...(pathsOf('run_tests').length > 0 ? [say.ran] : []),
    ...(plantedFiles(turn, turns) === null ? [say.needsModel] : []),
  ].join(' ');
}

/** The line of a log that says which test failed: what a planted test has said, else a line of TAP. */
function aboutFailure(turn: ModelRequest): string[] {
  const failing = failingTests(turn);
  if (!failing) return [];
  const { failure, simulatedFailure } = languages[turn.language].files;
  const lines = stripVTControlCharacters(failing.log).split('\n');
  const line = lines.find((one) => one.includes(plantedWords[turn.language].accepted)) ?? lines.find((one) => one.includes('not ok'));
  return line ? [(failing.isSimulated ? simulatedFailure : failure).replace('{failure}', () => line.trim())] : [];
}

/** Whether an agent changes code. With the files of a repository its script does that with tools, and hands over no files of its own. */
export function builds({ role }: Pick<ModelRequest, 'role'>): boolean {
  return partOfRole[role.toLowerCase()] === 'developer';
}

/** Returns the text of a result, which the model is given between fences. */
function resultOf({ calls }: ModelTurn, at: number): string {
  const lines = (calls[at]?.result ?? '').split('\n');
  const begin = lines.findIndex((line) => line.startsWith('~~~'));
  const end = begin < 0 ? -1 : lines.lastIndexOf(lines[begin] ?? '');
  return end > begin ? lines.slice(begin + 1, end).join('\n') : '';
}

/** Returns how a file of this name has a comment on a line of its own; null where that is not known. */
function commentOf(path: string): ((note: string) => string) | null {
  const extension = path.slice(path.lastIndexOf('.') + 1).toLowerCase();
  const form = forms.find(([known]) => known.test(extension));
  return form ? (note) => `${form[1]}${note}${form[2]}` : null;
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

/** Returns the paths of a list of files. */
function pathsIn(listed: ModelTurn): string[] {
  return resultOf(listed, 0)
    .split('\n')
    .flatMap(listedFile)
    .map(({ path }) => path);
}

/** Returns a file that a turn has read, with its text. */
function readFile(turn: ModelTurn, call: ModelTurn['calls'][number], at: number): [string, string][] {
  return call.name === 'read_file' && !call.isError ? [[pathOf(call), withoutNumbers(resultOf(turn, at))]] : [];
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

/** Adds a marked line behind the last line of the source file that was read, in the form of its language. */
function changeOf({ source: path, textOf }: SeenRepository, turn: ModelRequest): Change | null {
  if (path === '') return null;
  const text = textOf(path);
  const note = noteOf(turn);
  const comment = commentOf(path);
  if (!comment) return { name: 'write_file', args: { path: 'SIMULATED.md', content: `${note}\n` } };
  const old = uniqueEnd(text);
  if (old === null) return { name: 'write_file', args: { path, content: `${text === '' ? '' : `${text}\n`}${comment(note)}\n` } };
  return { name: 'edit_file', args: { path, old, new: `${old}\n${comment(note)}` } };
}

/** Returns the mark of a simulated change with the subject of the task, as a comment can have it. */
function noteOf(turn: ModelRequest): string {
  const subject = plainText(wordsOf(turn, languages).words.subject).replaceAll('*/', '').replaceAll('-->', '');
  return languages[turn.language].files.change.replace('{task}', () => subject);
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
