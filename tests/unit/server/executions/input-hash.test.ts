import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { differenceOf, hashInput, readHash } from '../../../../server/modules/executions/forks/input-hash.ts';
import type { ModelRequest, TurnInGraph } from '../../../../server/platform/llm/language-model.ts';
import { conversationOf, promptFormat } from '../../../../server/platform/llm/prompt.ts';

const plain: TurnInGraph = { choices: [], hasOtherwise: true, isList: false, round: 0, item: null, notAccepted: [] };

const executed = {
  ...{ item: 0, command: 'npm test', exitCode: 1, reason: null, missing: null, counts: { passed: 2, failed: 1 } },
  ...{ isSimulated: false, isByAgent: false, log: 'not ok 1' },
};

const asked = {
  row: { initialTask: 'Plan a bakery', language: 'en' as const, inputSetId: null },
  step: { systemPrompt: 'You plan.', role: 'Developer', agentTitle: 'Developer' },
  model: { provider: 'openai', model: 'gpt-4', host: 'api.openai.com' },
  settings: { temperature: 0.7, maxTokens: 2_000, effort: null },
  tools: [],
  earlier: [{ title: 'Analyst', role: 'Analyst', text: 'A result' }],
  contexts: ['Use flour'],
  inGraph: undefined,
};

const hash = (change: Partial<Parameters<typeof hashInput>[0]> = {}) => {
  const read = readHash(hashInput({ ...asked, ...change }));
  if (!read) throw new Error('The hash cannot be read.');
  return read;
};

test('G5.02 equal inputs have equal hashes, and two different hashes tell which part of the input has changed', () => {
  expect(hash()).toEqual(hash());
  const differs = (change: Parameters<typeof hash>[0]) => differenceOf(hash(), hash(change));
  expect(differs({})).toBeNull();
  expect(differs({ step: { ...asked.step, systemPrompt: 'You plan well.' } })).toBe('prompt');
  expect(differs({ step: { ...asked.step, agentTitle: 'Planner' } })).toBe('prompt');
  expect(differs({ model: { ...asked.model, model: 'gpt-4o' } })).toBe('settings');
  expect(differs({ model: { ...asked.model, host: 'example.com' } })).toBe('settings');
  expect(differs({ settings: { ...asked.settings, temperature: 0 } })).toBe('settings');
  expect(differs({ settings: { ...asked.settings, effort: 'high' } })).toBe('settings');
  expect(differs({ tools: [{ name: 'read_file', description: '', parameters: {} }] })).toBe('settings');
  expect(differs({ row: { ...asked.row, initialTask: 'Plan a shop' } })).toBe('input');
  expect(differs({ row: { ...asked.row, inputSetId: 'a set' } })).toBe('input');
  expect(differs({ earlier: [{ title: 'Analyst', role: 'Analyst', text: 'Another' }] })).toBe('input');
  expect(differs({ earlier: asked.earlier.map((result) => ({ ...result, tests: [executed] })) })).toBe('input');
  const withLog = (log: string) => hash({ earlier: asked.earlier.map((result) => ({ ...result, tests: [{ ...executed, log }] })) });
  expect(differenceOf(withLog('not ok 1'), withLog('not ok 2'))).toBe('input');
  expect(differs({ contexts: [] })).toBe('input');
  expect(differs({ inGraph: { ...plain, isList: true } })).toBe('input');
  expect(readHash(null)).toBeNull();
});

test('G5.02 a step has the same hash in a chain, in a graph without a choice, and when its answer was sent back', () => {
  expect(hash({ inGraph: plain })).toEqual(hash());
  expect(hash({ inGraph: { ...plain, isAskedAgain: true, revision: { draft: 'A draft', note: 'Shorter' } } })).toEqual(hash());
});

test('G5.02 the version of the prompt format has to change when the words of prompts do', () => {
  const turn: ModelRequest = {
    ...{ role: 'Developer', agentTitle: 'Developer', systemPrompt: 'You plan.', task: 'Plan', contexts: ['Flour'] },
    earlier: asked.earlier.map((result) => ({ ...result, isCut: true, tests: [executed] })),
    inputs: { files: [{ path: 'a.ts', bytes: 3, mime: 'text/plain', isReadable: true }], count: 2, git: null, texts: [] },
    inGraph: {
      ...{ choices: [{ label: 'yes', leadsBack: false }], hasOtherwise: true, isList: true, round: 1, isAskedAgain: false },
      ...{ item: { text: 'one', number: 1, of: 2 }, notAccepted: [{ agent: 'QA', rounds: 3 }], revision: { draft: 'A draft', note: '' } },
    },
    ...{ language: 'en', temperature: 0, maxTokens: 1, idempotencyKey: '' },
  };
  const byFolder: ModelRequest = {
    ...turn,
    inputs: {
      ...{ files: [], count: 9, git: null, tree: { folders: [{ path: './', files: 9 }], left: 2 } },
      ...{
        named: [{ path: 'a.ts', bytes: 3, mime: 'text/plain', isReadable: true }],
        texts: [{ path: 'a.ts', sha256: '', text: 'a', bytes: 3 }],
      },
    },
  };
  const tools = (names: string[]) => names.map((name) => ({ name, description: '', parameters: {} }));
  const messages = (['en', 'ru'] as const).flatMap((language) =>
    [[], ['read_file'], ['read_file', 'edit_file']].flatMap((names) =>
      [turn, byFolder].map((one) => conversationOf({ ...one, language, tools: tools(names) }).messages),
    ),
  );
  const words = createHash('sha256').update(JSON.stringify(messages)).digest('hex').slice(0, 12);
  // A change of the words needs the next number in `promptFormat`, and their hash here.
  expect([promptFormat, words]).toEqual([4, '048a398bd7e7']);
});
