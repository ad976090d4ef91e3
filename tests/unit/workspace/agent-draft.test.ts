import { expect, test } from 'vitest';
import type { Agent } from '../../../contract/agent.ts';
import {
  type AgentDraft,
  agentFields,
  changesOf,
  draftOf,
  isSaved,
  modelNames,
  staysSimulated,
  withConnection,
  withProvider,
} from '../../../src/app/workspace/agent-settings/agent-draft.ts';
import { parseNumber } from '../../../src/app/workspace/agent-settings/parse-number.ts';

const agent = {
  configuration: { systemPrompt: 'You are a tester.', plan: '' },
  apiConfiguration: {
    providerType: 'openai',
    model: 'gpt-4',
    temperature: 0.7,
    maxTokens: 4_000,
    baseUrl: null,
    folderId: null,
    hasKey: true,
    keyLast4: '1234',
  },
} as Agent;

const edited = (changes: Partial<AgentDraft>): AgentDraft => ({ ...draftOf(agent), ...changes });

/** The fields that are wrong. */
const problemsOf = (draft: AgentDraft, of = agent) =>
  agentFields(of)
    .safeParse(draft)
    .error?.issues.map(({ path }) => path.join('.')) ?? [];

test('W5.07 nothing is to be saved until something has changed', () => {
  expect(changesOf(draftOf(agent), agent)).toEqual({});
  expect(changesOf(edited({ model: ' gpt-4 ', baseUrl: ' ' }), agent)).toEqual({});
});

test('W5.07 only what has changed is saved', () => {
  expect(changesOf(edited({ temperature: 0.3, baseUrl: 'http://localhost:11434/v1' }), agent)).toEqual({
    temperature: 0.3,
    baseUrl: 'http://localhost:11434/v1',
  });
});

test('W5.07 resetting to the saved agent leaves nothing to save', () => {
  const draft = edited({ systemPrompt: 'Other', maxTokens: 200 });
  expect(changesOf({ ...draft, ...draftOf(agent) }, agent)).toEqual({});
});

test('R25.01 a typed key is sent, a removed one is taken away, and the form never holds the saved one', () => {
  expect(draftOf(agent).apiKey).toBe('');
  expect(changesOf(edited({ apiKey: ' sk-new ' }), agent)).toEqual({ apiKey: 'sk-new' });
  expect(changesOf(edited({ removeKey: true }), agent)).toEqual({ apiKey: null });
});

test('W5.07 temperature goes from 0 to 2 in steps of 0.1', () => {
  expect([0, 0.1, 0.3, 0.7, 1.9, 2].flatMap((temperature) => problemsOf(edited({ temperature })))).toEqual([]);
  for (const temperature of [-0.1, 2.1, 0.25, Number.NaN]) expect(problemsOf(edited({ temperature }))).toEqual(['temperature']);
});

test('W5.07 max tokens go from 100 to 128000 in steps of 100', () => {
  expect([100, 4_000, 8_000, 128_000].flatMap((maxTokens) => problemsOf(edited({ maxTokens })))).toEqual([]);
  for (const maxTokens of [0, 150, 8_150, 128_100]) expect(problemsOf(edited({ maxTokens }))).toEqual(['maxTokens']);
});

test('W5.07 existing values between the steps do not prevent saving the other fields', () => {
  const between = { ...agent, apiConfiguration: { ...agent.apiConfiguration, temperature: 0.25, maxTokens: 4_050 } };
  expect(problemsOf({ ...draftOf(between), systemPrompt: 'Other' }, between)).toEqual([]);
  expect(problemsOf({ ...draftOf(between), temperature: 0.35, maxTokens: 4_150 }, between)).toEqual(['temperature', 'maxTokens']);
});

test('W5.07 a model needs a name, and an address must be one of http or https', () => {
  expect(problemsOf(edited({ model: ' ' }))).toEqual(['model']);
  expect(problemsOf(edited({ baseUrl: 'javascript:alert(1)' }))).toEqual(['baseUrl']);
  expect(problemsOf(edited({ baseUrl: 'example.com' }))).toEqual(['baseUrl']);
  expect(problemsOf(edited({ baseUrl: 'https://api.example.com/v1' }))).toEqual([]);
});

test('W9.06 numbers are read as people of both languages type them', () => {
  expect([parseNumber('0,5'), parseNumber('0.5'), parseNumber('4 000'), parseNumber('4\u00a0000')]).toEqual([0.5, 0.5, 4_000, 4_000]);
  expect([parseNumber(''), parseNumber('-1'), parseNumber('1e3'), parseNumber('a')].every(Number.isNaN)).toBe(true);
});

test("W9.04 each provider offers its models, and another one brings its first unless the name is of the user's own", () => {
  expect(modelNames('openai')[0]).toBe('gpt-6.1-terra');
  expect(modelNames('openai')).toEqual(expect.arrayContaining(['gpt-4', 'gpt-4-turbo', 'gpt-3.5-turbo']));
  expect(modelNames('anthropic')).toEqual(expect.arrayContaining(['claude-3-opus', 'claude-3-sonnet', 'claude-3-haiku']));
  expect(modelNames('yandexgpt')).toEqual(['yandexgpt-lite', 'yandexgpt']);
  expect(withProvider(draftOf(agent), 'anthropic')).toEqual({ providerType: 'anthropic', model: 'claude-sonnet-5-5' });
  expect(withProvider(edited({ model: 'my-own' }), 'yandexgpt')).toEqual({ providerType: 'yandexgpt' });
});

test('R25.01 the folder of Yandex Cloud is saved with the model, and taken away when it is emptied', () => {
  const yandex = { ...agent, apiConfiguration: { ...agent.apiConfiguration, providerType: 'yandexgpt' } as const };
  expect(changesOf({ ...draftOf(yandex), folderId: ' b1g-folder ' }, yandex)).toEqual({ folderId: 'b1g-folder' });
  const inFolder = { ...yandex, apiConfiguration: { ...yandex.apiConfiguration, folderId: 'b1g' } };
  expect(changesOf({ ...draftOf(inFolder), folderId: '' }, inFolder)).toEqual({ folderId: null });
  expect(problemsOf({ ...draftOf(yandex), folderId: 'каталог' })).toEqual(['folderId']);
});

test('W5.07 what another provider does not ask for is neither checked nor saved', () => {
  expect(problemsOf(edited({ folderId: 'каталог' }))).toEqual([]);
  expect(changesOf(edited({ folderId: 'b1g-folder' }), agent)).toEqual({});
  const simulated = edited({ providerType: 'simulated', baseUrl: 'no address' });
  expect(problemsOf(simulated)).toEqual([]);
  expect(changesOf(simulated, agent)).not.toHaveProperty('baseUrl');
});

test('M3.25 temperature, length and effort may be unset, which is saved as such and is never wrong', () => {
  const unset = edited({ temperature: null, maxTokens: null });
  expect(problemsOf(unset)).toEqual([]);
  expect(changesOf(unset, agent)).toEqual({ temperature: null, maxTokens: null });
  expect(changesOf(edited({ effort: 'high', mayGoWithoutTools: true }), agent)).toEqual({ effort: 'high', mayGoWithoutTools: true });
  const withoutFigures = { ...agent, apiConfiguration: { ...agent.apiConfiguration, temperature: null, maxTokens: null } };
  expect(draftOf(withoutFigures)).toMatchObject({ temperature: null, maxTokens: null, effort: null });
  expect(changesOf(draftOf(withoutFigures), withoutFigures)).toEqual({});
});

test('M3.20 a chosen connection brings its default model, and the fields that it replaces are neither checked nor saved', () => {
  const chosen = edited(withConnection(edited({}), { id: 'one', defaultModel: 'gpt-5' }));
  expect(changesOf({ ...chosen, providerType: 'anthropic', baseUrl: 'no address', apiKey: 'sk-typed' }, agent)).toEqual({
    connectionId: 'one',
    model: 'gpt-5',
  });
  expect(problemsOf({ ...chosen, baseUrl: 'no address' })).toEqual([]);
  expect(withConnection(draftOf(agent), { id: 'one', defaultModel: null })).toEqual({ connectionId: 'one', model: 'gpt-4' });
  expect(withConnection(chosen, null)).toEqual({ connectionId: null, model: 'gpt-6.1-terra' });
});

test('M3.26 M3.30 no model is asked while an agent stays simulated; a key, an address, a provider or a connection that is typed ends that', () => {
  const without = { ...agent, apiConfiguration: { ...agent.apiConfiguration, willSimulate: true } };
  const stays = (changes: Partial<ReturnType<typeof draftOf>>) => staysSimulated({ ...draftOf(without), ...changes }, without);
  expect(stays({ model: 'gpt-4-turbo' })).toBe(true);
  expect(stays({ providerType: 'simulated' })).toBe(true);
  const ends = [{ apiKey: 'sk-x' }, { baseUrl: 'https://llm.example/v1' }, { providerType: 'mistral' as const }, { connectionId: 'one' }];
  expect(ends.map(stays)).toEqual([false, false, false, false]);
  expect(staysSimulated(draftOf(agent), agent)).toBe(false);
  expect([isSaved(draftOf(agent), agent), isSaved(edited({ model: 'other' }), agent)]).toEqual([true, false]);
});

test('M3.20 a second connection for failures needs a model, and goes with its choice', () => {
  const second = edited({ fallbackId: 'two', fallbackModel: ' gpt-5 ' });
  expect(changesOf(second, agent)).toEqual({ fallback: { connectionId: 'two', model: 'gpt-5' } });
  expect(problemsOf({ ...second, fallbackModel: ' ' })).toEqual(['fallbackModel']);
  const saved = { ...agent, apiConfiguration: { ...agent.apiConfiguration, fallback: { connectionId: 'two', model: 'gpt-5' } } };
  expect(changesOf(draftOf(saved), saved)).toEqual({});
  expect(changesOf({ ...draftOf(saved), fallbackId: null }, saved)).toEqual({ fallback: null });
});

test('C3.12 what an agent may do in a step is saved together; empty turns and calls are those of the project', () => {
  expect(draftOf(agent)).toMatchObject({ fileAccess: 'write', runsTests: false, maxTurns: '', maxCalls: '' });
  expect(changesOf(edited({ maxTurns: ' ' }), agent)).toEqual({});
  expect(changesOf(edited({ fileAccess: 'read', maxCalls: '1 000' }), agent)).toEqual({
    work: { fileAccess: 'read', runsTests: false, maxTurns: null, maxCalls: 1_000 },
  });
  expect(problemsOf(edited({ maxTurns: '200', maxCalls: '1000' }))).toEqual([]);
  for (const maxTurns of ['0', '201', '1.5', 'many', '-1']) expect(problemsOf(edited({ maxTurns }))).toEqual(['maxTurns']);
  expect(problemsOf(edited({ maxCalls: '1001' }))).toEqual(['maxCalls']);
});
