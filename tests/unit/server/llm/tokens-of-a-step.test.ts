import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import en from '../../../../locales/en/content/seed.json' with { type: 'json' };
import { planPromptFiles } from '../../../../server/modules/inputs/prompt-files/plan-prompt-files.ts';
import { countPrompt } from '../../../../server/platform/llm/fit/count-prompt.ts';
import type { ModelOutcome, PromptFiles } from '../../../../server/platform/llm/language-model.ts';
import { libraryTools } from '../../../support/llm/library-tools.ts';
import { sampleText } from '../../../support/llm/sample-step.ts';
import { slugLibrary, slugTask } from '../../../support/llm/slug-library.ts';
import { runFakeStep } from '../../../support/run-graph/fake-step.ts';

/** The most input tokens of the step, over all of its prompts. */
const goal = 25_000;

/** What the prompt of a run with these files shows. */
function inputsOf(files: Readonly<Record<string, string>>, task: string): PromptFiles {
  const known = Object.entries(files).map(([path, text]) => {
    const bytes = Buffer.byteLength(text);
    return {
      ...{ path, bytes, textBytes: bytes, mime: 'text/plain', isGit: true },
      sha256: createHash('sha256').update(text).digest('hex'),
    };
  });
  const plan = planPromptFiles(known, task);
  const listed = (paths: readonly string[]) =>
    known.filter(({ path }) => paths.includes(path)).map((file) => ({ ...file, isReadable: true }));
  return {
    ...{ files: listed(plan.listed), count: known.length, git: { url: 'https://git.example/slug.git', ref: 'main', sha: 'a'.repeat(40) } },
    ...(plan.tree && { tree: plan.tree, named: listed(plan.named) }),
    texts: plan.texts.map(({ path, most }) => ({ path, sha256: '', text: (files[path] ?? '').slice(0, most) })),
  };
}

type Calls = [name: string, args: object][];

const says = (text: string, ...calls: Calls): ModelOutcome => ({
  ok: true,
  value: {
    ...{ text, thoughts: null, finish: 'stop', usage: null },
    ...(calls.length > 0 && { calls: calls.map(([name, args], at) => ({ id: `c${at}`, name, arguments: JSON.stringify(args) })) }),
  },
});

test('C3.11 a step that changes two files of a small library needs 25,000 input tokens at most', async () => {
  const files = new Map(Object.entries(slugLibrary));
  const option = '\t\tkeep: [],\n\t\ttransliterate: true,\n';
  const end = '\tif (isTrailedByDash) {\n';
  const cut =
    '\tif (options.maxLength !== undefined && text.length > options.maxLength) {\n\t\tconst cut = text.slice(0, options.maxLength);\n\t\tconst at = options.separator ? cut.lastIndexOf(options.separator) : -1;\n\t\ttext = at > 0 ? cut.slice(0, at) : cut;\n\t}\n\n';
  const added =
    "test('main', t => {\n\tt.is(slug('one two three', {maxLength: 8}), 'one-two');\n\tt.is(slug('onetwothree', {maxLength: 3}), 'one');\n";
  const step = await runFakeStep({
    tools: await libraryTools(files),
    request: {
      systemPrompt: en.agents.developer.systemPrompt,
      task: slugTask,
      inputs: inputsOf(slugLibrary, slugTask),
      earlier: [{ title: 'Analyst', role: 'analyst', text: sampleText(500) }],
    },
    answers: [
      says('I look for the options and their tests.', ['search_files', { query: 'transliterate' }], ['search_files', { query: "test('" }]),
      // The prompt shows index.js, and names test.js, which is longer.
      says('I read the first tests.', ['read_file', { path: 'test.js', from: 1, lines: 20 }]),
      says(
        'I change them.',
        ['edit_file', { path: 'index.js', old: option, new: `${option}\t\tmaxLength: undefined,\n` }],
        ['edit_file', { path: 'index.js', old: end, new: `${cut}${end}` }],
        ['edit_file', { path: 'test.js', old: "test('main', t => {\n", new: added }],
      ),
      says('The option `maxLength` is there, with two tests. Not executed.'),
    ],
  });
  expect(step.turns.flatMap(({ calls }) => calls.map(({ state }) => state))).toEqual(Array(6).fill('done'));
  expect([files.get('index.js'), files.get('test.js')]).toEqual([expect.stringContaining(cut), expect.stringContaining('maxLength: 8')]);
  const tokens = step.requests.map(countPrompt);
  const total = tokens.reduce((sum, one) => sum + one, 0);
  expect(total, `Prompts of ${tokens.join(', ')} tokens, ${total} in all`).toBeLessThanOrEqual(goal);
});
