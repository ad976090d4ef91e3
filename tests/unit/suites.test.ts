import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  coreFaults,
  killPoints,
  nightlyTag,
  restIntegration,
  restTag,
  timedAlone,
  withBothKinds,
  withOwnDatabase,
  withoutCanvas,
} from '../suites.ts';
import { importGraph } from '../support/source-tree/import-graph.ts';
import { testTitles } from '../support/source-tree/test-titles.ts';

const root = join(import.meta.dirname, '../..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const filesOf = (folder: string) => globSync(`tests/${folder}/**/*.test.ts`, { cwd: root });
/** The largest files of an account, and kills at every write of a fork's start. */
const shownOnlyByRest = ['G3.16', 'G5.09'];
const idPattern = /\b[GPRW]\d+\.\d+\b/g;

type Script = { command?: string; files?: string[]; dependencies?: (string | { script: string })[] };
const { scripts, wireit } = JSON.parse(read('package.json')) as { scripts: Record<string, string>; wireit: Record<string, Script> };

test('every file that a list of suites names exists, and no file is in two lists of one folder', () => {
  const integration = filesOf('integration');
  const faults = filesOf('faults');
  expect([...withOwnDatabase, ...withBothKinds, ...restIntegration].filter((file) => !integration.includes(file))).toEqual([]);
  expect([...coreFaults, ...killPoints, ...timedAlone].filter((file) => !faults.includes(file))).toEqual([]);
  expect(withoutCanvas.filter((file) => !globSync('tests/e2e/**/*.spec.ts', { cwd: root }).includes(file))).toEqual([]);
  for (const lists of [
    [withOwnDatabase, withBothKinds],
    [withOwnDatabase, restIntegration],
    [coreFaults, killPoints, timedAlone],
  ])
    expect(lists.flat()).toEqual([...new Set(lists.flat())]);
});

test('each project of Vitest and each half of the browser tests is a suite of npm test or of npm run test:rest', () => {
  const names = [...read('vitest.config.ts').matchAll(/name: '([\w-]+)'/g)].map(([, name]) => name);
  const commands = Object.values(wireit).flatMap(({ command = '' }) => command);
  const used = commands.flatMap((command) => [...command.matchAll(/--project ([\w-]+)/g)].map(([, name]) => name));
  expect(used.toSorted()).toEqual(names.toSorted());
  expect(commands.filter((command) => command.includes('playwright')).map((command) => command.split(' test ')[1])).toEqual([
    `--grep-invert ${restTag}`,
    `--grep ${restTag}`,
  ]);
});

test('a browser test leaves npm test by one of two tags, which no other test has', () => {
  const tagged = testTitles().filter(({ tags }) => tags.length > 0);
  expect(tagged.length).toBeGreaterThan(0);
  expect(tagged.filter(({ file, tags }) => ![restTag, nightlyTag].includes(tags.join()) || !file.startsWith('tests/e2e/'))).toEqual([]);
});

test('every feature of docs/features.md has a test in npm test', () => {
  const left = [...withOwnDatabase, ...restIntegration, ...timedAlone];
  const isLeft = (file: string) =>
    left.includes(file) || (file.startsWith('tests/faults/') && ![...coreFaults, ...killPoints].includes(file));
  const shown = testTitles().filter(({ file, tags }) => !isLeft(file) && tags.length === 0);
  const ids = new Set(shown.flatMap(({ title }) => title.match(idPattern) ?? []));
  const explained = [...read('docs/features.md').matchAll(/^\| ([GPRW]\d+\.\d+) \|/gm)].map(([, id = '']) => id);
  expect(explained.filter((id) => !ids.has(id))).toEqual(shownOnlyByRest);
});

test('every browser test takes its page from the contexts that its worker keeps', () => {
  const importsTest = (line: string) =>
    line.endsWith(" from 'playwright/test';") && line.split(/[{},]/).some((name) => name.trim() === 'test');
  const files = globSync('tests/e2e/**/*.spec.ts', { cwd: root });
  expect(files.length).toBeGreaterThan(0);
  expect(files.filter((file) => read(file).split('\n').some(importsTest))).toEqual([]);
});

/** The files that wireit compares for a suite with servers, and those that its tests and servers import. */
function inputsAndImports(folder: string): { inputs: Set<string>; imported: Set<string> } {
  const inputs = [...(wireit['inputs:server']?.files ?? []), ...(wireit[`suite:${folder}`]?.files ?? [])];
  const programs = ['server/main.ts', 'tests/support/shared-services.ts', 'tests/support/data-folder-template.ts'];
  const imported = [...filesOf(folder), ...programs].flatMap((file) => importGraph(file).files);
  return { inputs: new Set(globSync(inputs, { cwd: root })), imported: new Set(imported) };
}

test('the inputs of a suite with servers hold every file that its tests import', () => {
  for (const folder of ['integration', 'ceilings', 'faults']) {
    const { inputs, imported } = inputsAndImports(folder);
    expect([...imported].filter((file) => !inputs.has(file))).toEqual([]);
  }
});

test('the inputs of the suites with servers hold no source of the page and no text that they do not import', () => {
  const both = ['integration', 'faults'].map(inputsAndImports);
  const imported = new Set(both.flatMap((one) => [...one.imported]));
  const strange = [...(both[0]?.inputs ?? [])].filter((file) => /^(src|locales)\//.test(file) && !imported.has(file));
  expect(strange.filter((file) => !/^locales\/\w+\/content(\/|$)/.test(file))).toEqual([]);
});

test('the inputs of the suites with a browser hold every text, and every file that page, servers and tests import', () => {
  const programs = ['server/main.ts', 'vite.config.ts', 'playwright.config.ts', 'tests/support/serve-built-client.ts'];
  const pages = ['src/app/main.tsx', 'src/app/prerender-landing.tsx', 'src/workers/engine.worker.ts', 'src/workers/demo.worker.ts'];
  const services = 'tests/support/browser/shared-services.ts';
  const files = [...globSync('tests/e2e/**/*.spec.ts', { cwd: root }), ...programs, ...pages, services];
  // The page loads its texts by the name of a language.
  const texts = globSync('locales/**/*.json', { cwd: root });
  const needed = new Set([...texts, ...files.flatMap((file) => importGraph(file).files)]);
  for (const suite of ['e2e', 'e2e-rest']) {
    const inputs = new Set(
      globSync([...(wireit['inputs:product']?.files ?? []), ...(wireit[`suite:${suite}`]?.files ?? [])], { cwd: root }),
    );
    expect([...needed].filter((file) => !inputs.has(file))).toEqual([]);
  }
});

test('each suite is a script, and each script that wireit runs says what it does', () => {
  const run = Object.keys(scripts).filter((name) => scripts[name] === 'wireit');
  expect(run.toSorted()).toEqual(Object.keys(wireit).toSorted());
});
