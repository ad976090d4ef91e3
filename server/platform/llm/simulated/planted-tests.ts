import { posix } from 'node:path';

/** A file that the simulated developer hands over. */
export type PlantedFile = { path: string; content: string };

/** The words of planted files: the mark of simulated files, the names of two tests, and what the failing one says. */
export type PlantedWords = { note: string; main: string; boundary: string; accepted: string };

/** A repository as the simulated developer sees it: paths, the texts that it has read, and the source file that is closest to the task. */
export type SeenRepository = { paths: readonly string[]; textOf: (path: string) => string; source: string };

/** What the simulated developer leaves out of a rule in the first round, and what stands there once it has read why tests fail. */
const faults = {
  /** In the rules that it hands over without a repository. */
  own: {
    old: "  if (request.title.trim() === '') problems.push({ path: 'title', code: 'required' });",
    new: "  if (request.title.trim() === '') problems.push({ path: 'title', code: 'required' });\n  if (request.details.trim() === '') problems.push({ path: 'details', code: 'required' });",
  },
  /** In the rule that it plants in a repository. */
  planted: { old: 'value.length <= 120', new: "value.trim() !== '' && value.length <= 120" },
};

const script = /\.[cm]?[jt]sx?$/;
const namedTest = /[._-](?:test|spec)\.[cm]?[jt]sx?$/;
const notOwn = /(?:^|\/)(?:node_modules|fixtures?|dist|e2e)\//;

/** The programs whose tests it can write, by how a test, a command or a manifest names them. */
const programs: readonly [RegExp, from: string][] = [
  [/\bnode:test\b|\bnode\b[^"&|]{0,80}--test\b/, 'node:test'],
  [/\bvitest\b/, 'vitest'],
];

/** Commands that start another program: a repository may have a second one beside it. */
const others = /\b(?:pytest|unittest|tox|python3?|go test|cargo|jest|mocha|ava|bun)\b/;

/** Returns what is read of a repository before tests are planted in it: its manifest and the simplest of its tests, where it has them. */
export function samplesFor(paths: readonly string[]): string[] {
  const tests = paths.filter((path) => namedTest.test(path) && !notOwn.test(path)).toSorted((a, b) => a.length - b.length);
  return [...paths.filter((path) => path === 'package.json'), ...tests.slice(0, 1)];
}

/**
 * Returns a small rule with a fault beside the source file, and its test beside the tests of a repository, as modules. Null where the program of its tests
 * is none that it knows.
 */
export function plantInRepository(command: string, { paths, textOf, source }: SeenRepository, words: PlantedWords): PlantedFile[] | null {
  const sample = samplesFor(paths).find((path) => namedTest.test(path));
  const texts = [sample ? textOf(sample) : '', command, textOf('package.json')];
  const program = texts.flatMap((text) => programs.filter(([named]) => named.test(text))).at(0)?.[1];
  if (program === undefined || others.test(command)) return null;
  const rule = posix.join(script.test(source) ? posix.dirname(source) : '.', 'simulated-change.mjs');
  const path = posix.join(sample ? posix.dirname(sample) : 'test', `simulated-change${endingOf(sample, textOf)}`);
  const from = posix.relative(posix.dirname(path), rule);
  const imports = { program, name: 'accepts', from: from.startsWith('.') ? from : `./${from}` };
  return [
    { path: rule, content: `// ${words.note}\nexport function accepts(value) {\n  return ${faults.planted.old};\n}\n` },
    { path, content: testOf(rule, imports, (value) => `accepts(${value})`, words) },
  ];
}

/** Returns how the test is named: as that of the repository, whose command may look for the name alone, where such a file is a module. */
function endingOf(sample: string | undefined, textOf: (path: string) => string): string {
  const ending = sample && /[._-](?:test|spec)\.m?[jt]s$/.exec(sample)?.[0];
  return ending && /^import\b/m.test(textOf(sample)) ? ending : '.test.mjs';
}

/** Returns a manifest, and a test of the rules that the developer hands over at `rules`; null for a command that does not start Node. */
export function plantAlone(command: string, rules: string, words: PlantedWords): PlantedFile[] | null {
  if (!/\b(?:node|npm|pnpm|yarn)\b/.test(command)) return null;
  const manifest = { private: true, type: 'module', scripts: { test: 'node --test' } };
  const imports = { program: 'node:test', name: 'problemsOf', from: './rules.ts' };
  const accepts = (details: string) => `problemsOf({ title: 'a', details: ${details} }).length === 0`;
  return [
    { path: 'package.json', content: `${JSON.stringify(manifest, null, 2)}\n` },
    { path: rules.replace(/\.ts$/, '.test.ts'), content: testOf(rules, imports, accepts, words) },
  ];
}

/** Returns a test of a rule that refuses an empty value: what it says when it fails names the file of the rule. */
function testOf(
  rule: string,
  { program, name, from }: { program: string; name: string; from: string },
  accepts: (value: string) => string,
  { note, main, boundary, accepted }: PlantedWords,
): string {
  return `// ${note}
import { test } from '${program}';
import { ${name} } from ${JSON.stringify(from)};

test(${JSON.stringify(main)}, () => {
  if (!(${accepts("'a'")})) throw new Error('a');
});

test(${JSON.stringify(boundary)}, () => {
  if (${accepts("''")}) throw new Error(${JSON.stringify(`${rule}: ${accepted}`)});
});
`;
}

/** Returns the edit that mends a file: the missing rule, or a note beside the marked line. Null for a file without either. */
export function fixOf(text: string, marked: string, note: string): { old: string; new: string } | null {
  const fault = text.includes(marked) ? faults.planted : faults.own;
  if (text.includes(fault.old) && !text.includes(fault.new)) return fault;
  const line = text.split('\n').findLast((one) => one.includes(marked));
  if (line === undefined || line.includes(note)) return null;
  return { old: line, new: line.replace(marked, () => `${marked} (${note})`) };
}
