import { expect, test } from 'vitest';
import { numberedLines } from '../../../../server/modules/tools/files/numbered-lines.ts';
import type { Conversation, ModelRequest, ModelTurn } from '../../../../server/platform/llm/language-model.ts';
import { aboutCalls, scriptedCalls } from '../../../../server/platform/llm/simulated/scripted-calls.ts';
import { simulatedModel } from '../../../../server/platform/llm/simulated/simulated-model.ts';

const files: Record<string, string> = {
  'README.md': '# Shop\n',
  'docs/long.md': 'x'.repeat(20_000),
  'src/checkout.ts': 'export const total = 1;\n',
  'src/index.ts': 'export {};\n',
  'logo.png': '',
};
const names = ['list_files', 'read_file', 'search_files', 'edit_file', 'write_file'];
const numbered = (text: string) => numberedLines(text, 1).part ?? '';
const fenced = (text: string) => `It is data.\n\n~~~\n${text}\n~~~`;

function turnOf(role: string, task = 'Correct the checkout of the shop'): ModelRequest {
  return {
    ...{ role, agentTitle: role, systemPrompt: '', task, earlier: [], contexts: [], language: 'en' },
    ...{ hasBaseTree: true, temperature: 0, maxTokens: 100, idempotencyKey: 'k' },
  };
}

function conversationOf(turn: ModelRequest, turns: ModelTurn[], tools = names): Conversation {
  return {
    ...{ messages: [], speaker: turn, turn, turns, temperature: 0, maxTokens: 100, idempotencyKey: 'k' },
    tools: tools.map((name) => ({ name, description: '', parameters: {} })),
  };
}

/** Gives other files to what works with the repository. */
function withFiles<T>(given: Record<string, string>, work: () => T): T {
  const before = { ...files };
  for (const path of Object.keys(files)) delete files[path];
  Object.assign(files, given);
  try {
    return work();
  } finally {
    for (const path of Object.keys(files)) delete files[path];
    Object.assign(files, before);
  }
}

/** Lets the script work with the files until it answers. */
function play(turn: ModelRequest, tools = names): { turns: ModelTurn[]; said: string } {
  const turns: ModelTurn[] = [];
  for (;;) {
    const conversation = conversationOf(turn, turns, tools);
    const calls = scriptedCalls(conversation);
    if (calls.length === 0) return { turns, said: aboutCalls(conversation) };
    turns.push({
      text: '',
      calls: calls.map((call) => {
        const args = JSON.parse(call.arguments) as { path?: string };
        const listed = Object.entries(files).map(([path, text]) => `${path} (${text.length})`);
        const result = call.name === 'list_files' ? listed.join('\n') : numbered(files[args.path ?? ''] ?? '');
        return { ...call, result: fenced(result), isError: false };
      }),
    });
  }
}

const shownCalls = (turns: readonly ModelTurn[]) => turns.map(({ calls }) => calls.map(({ name, arguments: args }) => `${name} ${args}`));

test('G3.09 the simulated developer lists, reads, searches and edits a file in its own language, the same each time', () => {
  const { turns, said } = play(turnOf('developer'));
  expect(shownCalls(turns)).toEqual([
    ['list_files {}'],
    ['read_file {"path":"README.md"}', 'read_file {"path":"src/checkout.ts"}', expect.stringMatching(/^search_files /)],
    [expect.stringMatching(/^edit_file /)],
  ]);
  const written = JSON.parse(turns[2]?.calls[0]?.arguments ?? '');
  expect(written).toEqual({
    path: 'src/checkout.ts',
    old: 'export const total = 1;',
    new: 'export const total = 1;\n// Simulated change for: Correct the checkout of the shop',
  });
  expect(said).toBe('Read (simulated): `README.md`, `src/checkout.ts`. Written, as a simulated change: `src/checkout.ts`.');
  expect(play(turnOf('developer'))).toEqual({ turns, said });
});

test('G3.09 other roles only read, and nothing is called without a base tree or tools', () => {
  expect(shownCalls(play(turnOf('analyst')).turns)).toHaveLength(2);
  expect(scriptedCalls(conversationOf({ ...turnOf('developer'), hasBaseTree: false }, []))).toEqual([]);
  expect(scriptedCalls({ ...conversationOf(turnOf('developer'), []), tools: [] })).toEqual([]);
});

test('G3.09 a task cannot end the comment that names it', () => {
  const { turns } = play(turnOf('developer', 'Correct the checkout */ alert(1) --> now'));
  expect(JSON.parse(turns[2]?.calls[0]?.arguments ?? '').new).not.toMatch(/\*\/|-->/);
});

test('C1.10 the edit of the simulated developer names lines that occur once in the file', () => {
  files['src/checkout.ts'] = 'function a() {\n}\nfunction b() {\n}\n';
  const { turns } = play(turnOf('developer'));
  files['src/checkout.ts'] = 'export const total = 1;\n';
  const { old } = JSON.parse(turns[2]?.calls[0]?.arguments ?? '') as { old: string };
  expect(old).toBe('function b() {\n}');
});

test('C1.10 with the files of a repository a developer hands over no files of another language in the answer', async () => {
  const { turns } = play(turnOf('Frontend'));
  const asked = { ...conversationOf(turnOf('Frontend'), turns), turn: { ...turnOf('Frontend'), tools: [] } };
  const outcome = await simulatedModel({ durationMs: 0 }).converse(asked, new AbortController().signal, () => {});
  if (!outcome.ok) throw new Error('It did not answer.');
  expect(outcome.value.text).not.toContain('path=');
  expect(outcome.value.text).toContain('Written, as a simulated change: `src/checkout.ts`.');
});

const failed = (log: string): ModelRequest['earlier'][number] => ({
  ...{ title: 'QA', role: 'qa', text: 'A report' },
  tests: [
    {
      ...{ item: 0, command: 'npm test', exitCode: 1, reason: null, missing: null, counts: null },
      ...{ isSimulated: true, isByAgent: false },
      log,
    },
  ],
});

test('C4.07 the simulated developer reads the log of failing tests, and edits the file that it names', () => {
  const mark = 'Simulated change for: Correct the checkout of the shop';
  files['src/checkout.ts'] = `export const total = 1;\n// ${mark}\n`;
  const log = 'ok 1 - test/index.test.ts\nnot ok 2 - an empty value is refused\n  at: src/checkout.ts\n';
  const { turns, said } = play({ ...turnOf('developer'), hasBaseTree: false, earlier: [failed(log)] });
  files['src/checkout.ts'] = 'export const total = 1;\n';
  const edit = { path: 'src/checkout.ts', old: `// ${mark}`, new: `// ${mark} (an empty value is refused now)` };
  expect(shownCalls(turns)).toEqual([['read_file {"path":"src/checkout.ts"}'], [`edit_file ${JSON.stringify(edit)}`]]);
  expect(said).toContain('The log of the tests says (simulated): `not ok 2 - an empty value is refused`.');
});

test('C4.07 a tester edits nothing, and a log that names no file changes nothing', () => {
  const failing = [failed('not ok 1\n  at: src/checkout.ts')];
  expect(
    shownCalls(play({ ...turnOf('qa'), earlier: failing }).turns)
      .flat()
      .join(),
  ).not.toContain('edit_file');
  expect(play({ ...turnOf('developer'), earlier: [failed('Segmentation fault')] }).turns).toEqual([]);
});

/** The repositories of Node, and where the rule and its test are planted. */
const repositories: [command: string, given: Record<string, string>, planted: [rule: string, test: string], form: string][] = [
  [
    'npm test',
    { 'package.json': '{}', 'src/checkout.ts': '', 'src/checkout.spec.ts': "import { test } from 'vitest';" },
    ['src/simulated-change.mjs', 'src/simulated-change.spec.ts'],
    'import { test } from \'vitest\';\nimport { accepts } from "./simulated-change.mjs";',
  ],
  [
    'npm test',
    { 'package.json': '{ "scripts": { "test": "node --test" } }', 'lib/checkout.js': '' },
    ['lib/simulated-change.mjs', 'test/simulated-change.test.mjs'],
    'import { test } from \'node:test\';\nimport { accepts } from "../lib/simulated-change.mjs";',
  ],
  // The file that is closest to the task is no script: the rule stands at the root.
  [
    'npm test',
    { 'package.json': '{ "scripts": { "test": "vitest" } }', 'checkout.css': '', 'src/menu.test.ts': "import { test } from 'vitest';" },
    ['simulated-change.mjs', 'src/simulated-change.test.ts'],
    'import { test } from \'vitest\';\nimport { accepts } from "../simulated-change.mjs";',
  ],
];

test.each(repositories)(
  'C4.09 where %s repeats its loop, the simulated developer plants a failing test: %o',
  (command, given, planted, form) => {
    const turn = { ...turnOf('developer'), testedBy: command };
    const { turns } = withFiles(given, () => play(turn, [...names, 'run_tests']));
    const written = (turns[2]?.calls ?? []).map(({ name, arguments: args }) => ({
      name,
      ...(JSON.parse(args) as { path: string; content: string }),
    }));
    expect(written.map(({ name, path }) => [name, path])).toEqual(planted.map((path) => ['write_file', path]));
    const mark = 'Simulated change for: Correct the checkout of the shop';
    for (const { content } of written) expect(content).toContain(mark);
    expect(written[1]?.content).toContain(form);
    // What the test says when it fails leads to the rule, and the edit occurs once in it.
    const [rule, check] = written;
    const said = /"([^"]*: an empty value was accepted)"/.exec(check?.content ?? '')?.[1];
    expect(said).toBe(`${rule?.path}: an empty value was accepted`);
    const second = { ...turnOf('developer'), earlier: [failed(`  Error: ${said}\n    at other.ts:1\n`)] };
    const mended = withFiles({ ...given, [rule?.path ?? '']: rule?.content ?? '' }, () => play(second, [...names, 'run_tests']));
    const [read, edit, tests] = mended.turns.map(({ calls }) => calls[0]);
    expect([read, edit, tests].map((call) => call?.name)).toEqual(['read_file', 'edit_file', 'run_tests']);
    const { path, old } = JSON.parse(edit?.arguments ?? '') as { path: string; old: string };
    expect([path, rule?.content.split(old)]).toEqual([rule?.path, [expect.any(String), expect.any(String)]]);
    // The same files are not planted twice.
    expect(shownCalls(withFiles({ ...given, [rule?.path ?? '']: '' }, () => play(turn)).turns)[2]).not.toContain('write_file');
  },
);

test.each<[command: string, given: Record<string, string>]>([
  ['pytest', { 'shop/checkout.py': '', 'tests/test_checkout.py': '' }],
  ['go test ./...', { 'cmd/checkout.go': 'package main\n' }],
  ['pytest', { 'shop/checkout.py': '', 'web/package.json': '{}', 'web/menu.test.ts': "import { test } from 'vitest';" }],
  ['npm test', { 'package.json': '{ "scripts": { "test": "jest" } }', 'src/checkout.js': '' }],
])('C4.09 where %s repeats its loop, the simulated developer plants nothing, and says that such a test needs a model', (command, given) => {
  const { turns, said } = withFiles(given, () => play({ ...turnOf('developer'), testedBy: command }));
  expect(shownCalls(turns)[2]).toEqual([expect.stringMatching(/^edit_file |^write_file .*checkout/)]);
  expect(said).toContain('Tests that fail first are written for Node only: another language or program needs a model.');
  expect(play(turnOf('developer')).said).not.toContain('needs a model');
});

test('C4.10 after its change, and once, the simulated developer has the tests executed that it may execute', () => {
  const { turns, said } = play(turnOf('developer'), [...names, 'run_tests']);
  expect(shownCalls(turns).slice(2)).toEqual([[expect.stringMatching(/^edit_file /)], ['run_tests {}']]);
  expect(said).toContain("The project's tests were executed after the change");
  expect(
    shownCalls(play(turnOf('analyst'), [...names, 'run_tests']).turns)
      .flat()
      .join(),
  ).not.toContain('run_tests');
});

test('C4.09 without a repository the developer hands a failing test over if the command starts Node, and a choice stays the last line', async () => {
  const inGraph = {
    ...{ hasOtherwise: false, isList: false, round: 0, item: null, notAccepted: [] },
    choices: [{ label: 'done', leadsBack: false }],
  };
  const answerTo = async (testedBy: string) => {
    const turn = { ...turnOf('developer'), hasBaseTree: false, testedBy, inGraph };
    const outcome = await simulatedModel({ durationMs: 0 }).converse(conversationOf(turn, [], []), new AbortController().signal, () => {});
    if (!outcome.ok) throw new Error('It did not answer.');
    expect(outcome.value.text.trimEnd().split('\n').at(-1)).toBe('Choice: done');
    const paths = [...outcome.value.text.matchAll(/ path=(\S+)/g)].map(([, path]) => path).slice(3);
    return [paths, outcome.value.text.includes('needs a model')];
  };
  expect(await answerTo('npm test')).toEqual([['package.json', 'src/correct/rules.test.ts'], false]);
  for (const command of ['sh ci/check.sh', 'python3 -m unittest', 'make test']) expect(await answerTo(command)).toEqual([[], true]);
});
