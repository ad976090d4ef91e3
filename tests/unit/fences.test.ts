import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Finding, PlantedTree } from '../support/source-tree/planted-tree.ts';

const restricted = 'lint/style/noRestrictedImports';

/** Forbidden imports: the file, the specifier, and the violated rule. */
const forbidden: [from: string, specifier: string, sentence: string][] = [
  ['contract/a.ts', '../src/model/x.ts', 'the contract knows zod and itself'],
  ['contract/a.ts', 'react', 'the contract knows zod and itself'],
  ['contract/executions/a.ts', '../../rules/x.ts', 'the contract knows zod and itself'],
  ['rules/a.ts', '../src/model/x.ts', 'the rules know the contract and themselves'],
  ['rules/a.ts', '../server/http/x.ts', 'the rules know the contract and themselves'],
  ['rules/a.ts', 'zod', 'the rules take nothing from outside'],
  ['src/model/a.ts', '../workers/engine/x.ts', 'the model knows no worker'],
  ['src/model/a.ts', '../canvas/x.ts', 'the model knows no canvas'],
  ['src/model/a.ts', '../ui/x.ts', 'the model knows no control'],
  ['src/model/a.ts', 'react', 'the model takes immer and zod from outside'],
  ['src/model/deep/a.ts', '../../api/x.ts', 'the model knows no API, however deep the file lies'],
  ['src/api/a.ts', '../model/x.ts', 'the API client knows only the contract'],
  ['src/api/a.ts', 'react', 'the API client takes ky and zod from outside'],
  ['async/a.ts', '../src/model/x.ts', 'what runs once, seldom or again knows only itself'],
  ['async/a.ts', 'uuid', 'what runs once, seldom or again takes no package'],
  ['src/state/a.ts', '../model/x.ts', 'the observable knows no state'],
  ['src/state/a.ts', '../workers/bridge/x.ts', 'the observable knows no worker'],
  ['src/state/a.ts', 'immer', 'the observable takes react from outside'],
  ['src/workers/engine/a.ts', 'react', 'the engine has no React'],
  ['src/workers/engine/a.ts', 'pixi.js', 'the engine has no Pixi'],
  ['src/workers/engine/a.ts', '../bridge/x.ts', 'the engine does not know the page'],
  ['src/workers/engine/run/a.ts', '../../../ui/x.ts', 'the engine knows no control'],
  ['src/workers/protocol.ts', '../app/x.ts', 'the protocol knows no page'],
  ['src/workers/engine/backends/demo/a.ts', '../../../../api/x.ts', 'the demo backend cannot reach the API'],
  ['src/workers/engine/backends/demo.ts', '../../../api/x.ts', 'the demo backend cannot reach the API'],
  ['src/workers/engine/backends/demo/a.ts', '../http/x.ts', 'the demo backend cannot reach the HTTP backend'],
  ['src/workers/engine/backends/demo/a.ts', 'ky', 'the demo backend has no HTTP client'],
  ['src/workers/engine/backends/local/a.ts', '../../../../api/x.ts', 'the local backend cannot reach the API'],
  ['src/workers/engine/backends/local-backend.ts', '../../../api/x.ts', 'the local backend cannot reach the API'],
  ['src/workers/engine/backends/local-backend.ts', './http-backend.ts', 'the local backend cannot reach the HTTP backend'],
  ['src/workers/bridge/a.ts', '../engine/x.ts', 'the bridge does not reach into the engine'],
  ['src/workers/bridge/a.ts', '../../api/x.ts', 'the bridge knows no API'],
  ['src/canvas/a.ts', '../workers/bridge/x.ts', 'the canvas knows no worker'],
  ['src/canvas/scene/a.ts', '../../workers/engine/x.ts', 'the canvas knows no worker'],
  ['src/canvas/a.ts', '../api/x.ts', 'the canvas knows no API'],
  ['src/canvas/a.ts', '../app/routes/x.ts', 'the canvas knows no route'],
  ['src/canvas/a.ts', 'comlink', 'the canvas knows no worker'],
  ['src/canvas/a.ts', 'react-router-dom', 'the canvas knows no route'],
  ['src/session/a.ts', '../canvas/x.ts', 'the session knows no canvas'],
  ['src/session/a.ts', '../app/x.ts', 'the session knows no page'],
  ['src/ui/a.ts', '../api/x.ts', 'controls know no API'],
  ['src/ui/a.ts', '../canvas/x.ts', 'controls know no canvas'],
  ['src/landing/a.ts', 'pixi.js', 'the landing page never loads Pixi'],
  ['src/landing/a.ts', '@pixi/react', 'the landing page never loads Pixi'],
  ['src/landing/a.ts', '../canvas/x.ts', 'the landing page never loads the canvas'],
  ['src/landing/a.ts', '../workers/bridge/x.ts', 'the landing page starts no worker'],
  ['src/app/a.ts', '../workers/engine/x.ts', 'the page reaches the engine through the bridge'],
  ['src/app/routes/a.ts', '../../../server/x.ts', 'nothing is shared with the server but the contract'],
  ['src/ui/a.ts', '../../server/x.ts', 'nothing is shared with the server but the contract'],
  ['src/model/a.ts', 'node:fs', 'the page has no Node'],
  ['server/a.ts', '../src/model/x.ts', 'the server takes nothing from the page'],
  ['server/modules/agents/a.ts', '../../../src/model/x.ts', 'the server takes nothing from the page'],
  ['server/platform/llm/a.ts', '../../../src/model/x.ts', 'the server takes nothing from the page'],
  ['server/modules/agents/a.ts', '../auth/repository.ts', "another module's inside is closed"],
  ['server/modules/agents/deep/a.ts', '../../auth/service.ts', "another module's inside is closed"],
  ['server/modules/agents/a.ts', '../../app.ts', 'a module does not know who composes it'],
  ['server/modules/executions/store/a.ts', '../transitions/x.ts', 'what is stored knows no change of it'],
  ['server/modules/executions/graph/a.ts', '../questions/x.ts', 'the graph of a run knows no feature'],
  ['server/modules/executions/transitions/a.ts', '../tools/x.ts', 'a change of a run knows no feature'],
  ['server/modules/executions/questions/a.ts', '../work/x.ts', 'a feature of runs knows no worker'],
  ['server/modules/executions/tools/a.ts', '../../auth/service.ts', "another module's inside is closed"],
  ['server/modules/executions/work/a.ts', '../service.ts', 'the worker does not know who composes it'],
  ['server/platform/bus/a.ts', '../../modules/auth/index.ts', 'an adapter knows no module'],
  ['server/platform/bus/a.ts', '../../http/mount.ts', 'an adapter knows no web server'],
  ['server/platform/bus/a.ts', 'fastify', 'an adapter knows no web server'],
];

/** Allowed imports: a rule that refused every import would pass the tests above. */
const allowed: [from: string, specifier: string][] = [
  ['contract/ok.ts', 'zod'],
  ['contract/executions/ok.ts', '../x.ts'],
  ['contract/operations/ok.ts', '../executions/x.ts'],
  ['rules/ok.ts', '../contract/x.ts'],
  ['rules/ok.ts', './x.ts'],
  ['src/model/ok.ts', '../../contract/x.ts'],
  ['src/model/ok.ts', '../../rules/x.ts'],
  ['src/model/ok.ts', 'immer'],
  ['src/api/ok.ts', 'ky'],
  ['src/workers/engine/ok.ts', '../../api/x.ts'],
  ['src/workers/engine/ok.ts', '../../model/x.ts'],
  ['src/workers/engine/backends/http-backend.ts', '../../../api/x.ts'],
  ['src/workers/engine/backends/demo/ok.ts', '../port.ts'],
  ['src/state/ok.ts', 'react'],
  ['src/state/ok.ts', './x.ts'],
  ['src/workers/bridge/ok.ts', '../../state/x.ts'],
  ['src/session/ok.ts', '../../async/x.ts'],
  ['src/workers/engine/ok.ts', '../../../async/x.ts'],
  ['src/canvas/ok.ts', '../../async/x.ts'],
  ['src/workers/bridge/ok.ts', '../protocol.ts'],
  ['src/workers/bridge/ok.ts', 'react'],
  ['src/canvas/ok.ts', '../model/x.ts'],
  ['src/canvas/ok.ts', 'pixi.js'],
  ['src/session/ok.ts', '../api/x.ts'],
  ['src/landing/ok.ts', '../session/x.ts'],
  ['src/app/ok.ts', '../workers/bridge/x.ts'],
  ['src/app/ok.ts', '../canvas/x.ts'],
  ['server/ok.ts', '../async/x.ts'],
  ['server/modules/agents/ok.ts', '../../../async/x.ts'],
  ['server/modules/agents/deep/ok.ts', '../../../../async/x.ts'],
  ['server/platform/bus/ok.ts', '../../../async/x.ts'],
  ['server/modules/agents/ok.ts', '../auth/index.ts'],
  ['server/modules/agents/deep/ok.ts', '../other/part.ts'],
  ['server/modules/agents/deep/ok.ts', '../../auth/index.ts'],
  ['server/modules/agents/ok.ts', '../../platform/llm/port.ts'],
  ['server/modules/agents/ok.ts', '../../../contract/x.ts'],
  ['server/modules/agents/ok.ts', '../../../rules/x.ts'],
  ['server/modules/agents/deep/ok.ts', '../repository.ts'],
  ['server/modules/executions/work/ok.ts', '../questions/x.ts'],
  ['server/modules/executions/transitions/ok.ts', '../store/x.ts'],
  ['server/modules/executions/tools/ok.ts', '../../files/index.ts'],
  ['server/modules/triggers/ok.ts', '../released-teams/index.ts'],
  ['server/modules/dead-letters/ok.ts', '../triggers/index.ts'],
  ['server/platform/bus/ok.ts', './port.ts'],
];

/** All forms of an import: named, side effect, dynamic, type only, and re-export. */
const spellings: [name: string, source: (specifier: string) => string][] = [
  ['a named import', (specifier) => `import { x } from '${specifier}';\nexport const y = x;\n`],
  ['an import for its effect', (specifier) => `import '${specifier}';\n`],
  ['a lazy import', (specifier) => `export const load = () => import('${specifier}');\n`],
  ['a type', (specifier) => `import type { X } from '${specifier}';\nexport type Y = X;\n`],
  ['an export from', (specifier) => `export { x } from '${specifier}';\n`],
];

/** Imports of modules against their order. */
const disordered: [from: string, specifier: string, sentence: string][] = [
  ['server/modules/agents/order.ts', '../triggers/index.ts', 'agents know no trigger'],
  ['server/modules/push/order.ts', '../telegram/index.ts', 'modules of one row do not know each other'],
  [
    'server/modules/executions/work/order.ts',
    '../../released-teams/index.ts',
    'the worker of runs knows no released team, however deep its file lies',
  ],
  ['server/modules/unordered/order.ts', '../auth/index.ts', 'a module without a row knows no other'],
];

/** Clocks that may jump, or that a module is not given. */
const clocks: [source: string, sentence: string][] = [
  ['export const now = () => Date.now()', 'the system clock'],
  ['export const now = () => performance.now()', 'a clock that it was not given'],
  ['export const ms = (from: Date, to: Date) => to.getTime() - from.getTime()', 'two dates'],
];

/** What ends the process when it fails while nothing listens for its errors. */
const unwatched: [source: string, sentence: string][] = [
  ["import pg from 'pg';\nexport const made = () => new pg.Client({ keepAlive: true })", 'a connection'],
  ["import pg from 'pg';\nexport const made = () => new pg.Client()", 'a connection without settings'],
  ["import pg from 'pg';\nexport const made = () => new pg.Pool({ max: 1 })", 'a pool of connections'],
  ["import { spawn } from 'node:child_process';\nexport const made = () => spawn('git', ['status'], { cwd: '/' })", 'a process'],
  ["import { spawn } from 'node:child_process';\nexport const made = () => spawn('git')", 'a process without arguments'],
  ["import { fork } from 'node:child_process';\nexport const made = () => fork('git.ts', { silent: true })", 'a process of Node'],
];

describe('import rules', () => {
  const tree = new PlantedTree();
  let findings: Finding[];
  /** Gives each case its own file: `dir/a.ts` of case 7 becomes `dir/a-7.ts`. File names that a rule contains stay. */
  const place = (file: string, index: number) =>
    file.replace(/\/(a|ok)\.ts$/, `/$1-${index}.ts`).replace(/backends\/(demo|local-backend)\.ts$/, `backends/$1-${index}.ts`);

  beforeAll(() => {
    const importing = (specifier: string) => `import { x } from '${specifier}';\nexport const y = x;\n`;
    for (const [index, [from, specifier]] of forbidden.entries()) tree.plant(place(from, index), importing(specifier));
    for (const [index, [from, specifier]] of allowed.entries()) tree.plant(place(from, 1_000 + index), importing(specifier));
    for (const [index, [, source]] of spellings.entries()) tree.plant(`src/landing/spelling-${index}.ts`, source('../canvas/x.ts'));
    for (const [index, [, source]] of spellings.entries())
      tree.plant(`server/modules/agents/spelling-${index}.ts`, source('../budgets/index.ts'));
    for (const [from, specifier] of disordered) tree.plant(from, importing(specifier));
    for (const [index, [source]] of clocks.entries()) tree.plant(`server/modules/agents/clock-${index}.ts`, `${source};\n`);
    for (const [index, [source]] of unwatched.entries()) tree.plant(`server/platform/git/unwatched-${index}.ts`, `${source};\n`);
    tree.plant('server/modules/agents/clock.ts', 'export const isLate = (at: Date, until: Date) => at.getTime() > until.getTime();\n');
    tree.plant('src/model/round.ts', "import { trip } from './trip.ts';\nexport const round = () => trip;\n");
    tree.plant('src/model/trip.ts', "import { round } from './round.ts';\nexport const trip = () => round;\n");
    tree.plant('src/model/straight.ts', "import { trip } from './trip.ts';\nexport const straight = trip;\n");
    findings = tree.lint();
  });
  afterAll(() => tree.remove());

  const rulesAt = (file: string) => findings.filter((finding) => finding.file === file).map(({ rule }) => rule);

  test.each(forbidden.map(([from, specifier, sentence], index) => ({ from, specifier, sentence, file: place(from, index) })))(
    '$sentence: $from may not import $specifier',
    ({ file }) => expect(rulesAt(file)).toContain(restricted),
  );

  test.each(allowed.map(([from, specifier], index) => ({ from, specifier, file: place(from, 1_000 + index) })))(
    '$from may import $specifier',
    ({ file }) => expect(rulesAt(file)).toEqual([]),
  );

  test.each(spellings.map(([name], index) => ({ name, index })))('the fence and the order of modules hold for $name', ({ index }) => {
    expect(rulesAt(`src/landing/spelling-${index}.ts`)).toContain(restricted);
    expect(rulesAt(`server/modules/agents/spelling-${index}.ts`)).toEqual(['plugin']);
  });

  test.each(disordered)('%s may not import %s: %s', (from) => expect(rulesAt(from)).toEqual(['plugin']));

  test.each(clocks.map(([, sentence], index) => ({ sentence, index })))(
    'a module of the server measures no duration by $sentence',
    ({ index }) => expect(rulesAt(`server/modules/agents/clock-${index}.ts`)).toEqual(['plugin']),
  );

  test.each(unwatched.map(([, sentence], index) => ({ sentence, index })))(
    'the server makes $sentence only where a listener for its errors is added',
    ({ index }) => expect(rulesAt(`server/platform/git/unwatched-${index}.ts`)).toEqual(['plugin']),
  );

  test('a module of the server may compare two dates', () => expect(rulesAt('server/modules/agents/clock.ts')).toEqual([]));

  test('two files that import each other are a cycle, a third that uses them is not', () => {
    expect(rulesAt('src/model/round.ts')).toEqual(['lint/suspicious/noImportCycles']);
    expect(rulesAt('src/model/trip.ts')).toEqual(['lint/suspicious/noImportCycles']);
    expect(rulesAt('src/model/straight.ts')).toEqual([]);
  });
});

test('the document of the architecture has a row for each folder with an import rule', async () => {
  const { overrides } = JSON.parse(await readFile('biome.json', 'utf8')) as {
    overrides: { includes: string[]; linter?: { rules: { style?: { noRestrictedImports?: unknown } } } }[];
  };
  const fenced = overrides.filter(({ linter }) => linter?.rules.style?.noRestrictedImports).map(({ includes: [first = ''] }) => first);
  // `a/*/**` and `a/{b,c}/**` are parts of the folder `a`.
  const folders = new Set(fenced.map((glob) => glob.replace(/\/[*{].*$/, '')));
  const document = await readFile('docs/architecture.md', 'utf8');
  const rows = [...document.matchAll(/^\| (`[^|]+) \|/gm)].flatMap(([, cell = '']) => cell.match(/[\w/]+(?=\/`)/g) ?? []);
  expect([...folders].filter((folder) => !rows.includes(folder))).toEqual([]);
});

describe('what each side of the code may name', () => {
  const tree = new PlantedTree();
  afterAll(() => tree.remove());

  /** Each side with the globals that it may not use, and those that it may. */
  test.each([
    { side: 'contract', forbidden: ['window', 'document', 'process', 'setTimeout'], allowed: ['Math'] },
    { side: 'rules', forbidden: ['window', 'document', 'process', 'setTimeout'], allowed: ['Math'] },
    { side: 'src/model', forbidden: ['window', 'document', 'process', 'self', 'fetch', 'setTimeout', 'localStorage'], allowed: ['Math'] },
    {
      side: 'src/workers/engine',
      forbidden: ['window', 'document', 'process', 'localStorage'],
      allowed: ['self', 'fetch', 'setTimeout', 'indexedDB'],
    },
    { side: 'server', forbidden: ['window', 'document', 'indexedDB'], allowed: ['process', 'fetch', 'setTimeout'] },
    { side: 'src', forbidden: ['process'], allowed: ['window', 'document', 'localStorage'] },
  ])('$side compiles without $forbidden', ({ side, forbidden: names, allowed: known }) => {
    const file = (name: string) => `${side}/names-${name}.ts`;
    for (const name of [...names, ...known]) {
      tree.plant(file(name), `export const named = () => ${name};\n`);
    }
    const found = tree.compile(side === 'src' ? '.' : side);
    expect(found.map((finding) => finding.file).toSorted()).toEqual(names.map(file).toSorted());
  });
});
