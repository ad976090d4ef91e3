import { expect, test } from 'vitest';
import { usualWork } from '../../../../contract/agent.ts';
import type { AgentModelConfig } from '../../../../server/modules/agents/index.ts';
import { chooseForCommand } from '../../../../server/modules/commands/choose-for-command.ts';
import { conversationOf, settingsFor, turnOf } from '../../../../server/modules/commands/command-prompt.ts';
import type { Models } from '../../../../server/platform/llm/choose-model.ts';
import type { LanguageModel } from '../../../../server/platform/llm/language-model.ts';
import { asOwner } from '../../../../server/platform/owner-id.ts';

const modelConfig: AgentModelConfig = {
  ...{ id: 'a', name: 'qa', title: 'Tester', role: 'QA', systemPrompt: 'You test.', providerType: 'openai', model: 'gpt-4' },
  ...{
    temperature: 0.7,
    maxTokens: 4_000,
    baseUrl: null,
    apiKey: null,
    folderId: null,
    effort: null,
    fallback: null,
  },
  ...{ mayGoWithoutTools: false, work: usualWork, keyUndecryptable: false, contextAccessLevel: 3, hasTools: false, isOwnerVerified: false },
};
const command = { id: 'c', request: 'start_workflow', task: null, initialTask: null, parameters: {}, data: null, language: 'en' } as const;

test.each([
  ['the request alone', {}, 'start_workflow'],
  ['the task, beside which the name of a command says nothing', { task: 'Plan' }, 'Plan'],
  ['the first task where there is no other', { task: ' ', initialTask: 'Plan' }, 'Plan'],
  ['a request in words and the task', { request: 'Be quick about it', task: 'Plan' }, 'Be quick about it\n\nPlan'],
  ['a task that was sent twice, once', { request: 'Plan a bakery', task: 'Plan a bakery' }, 'Plan a bakery'],
])('W3.06 an agent is asked %s', (_, change, task) => {
  expect(turnOf({ ...command, ...change }, modelConfig)).toMatchObject({
    task,
    role: 'QA',
    agentTitle: 'Tester',
    idempotencyKey: 'c',
    contexts: [],
  });
});

test('W3.06 the prompt of a command has the parameters and data as sent, without the fields that only the server needs', () => {
  const { contexts } = turnOf(
    { ...command, parameters: { executionId: 'e', stepId: 's', nodeId: 'n', depth: 2 }, data: 'In Kazan' },
    modelConfig,
  );
  expect(contexts).toEqual(['```json\n{\n  "depth": 2\n}\n```', 'In Kazan']);
});

test('W7.03 a completion uses the agent’s settings by default, and another model only of the same provider', () => {
  const chat = {
    id: 'c',
    messages: [{ role: 'user' as const, content: 'Hello' }],
    parameters: { max_tokens: 5, model: 'gpt-4-turbo' },
    language: 'en' as const,
  };
  expect(conversationOf(chat, modelConfig)).toMatchObject({
    messages: [{ role: 'system', content: 'You test.' }, { role: 'user' }],
    maxTokens: 5,
    temperature: 0.7,
  });
  const own = { role: 'system' as const, content: 'Be brief.' };
  expect(conversationOf({ ...chat, messages: [own, ...chat.messages] }, modelConfig).messages[0]).toEqual(own);
  expect(settingsFor({ kind: 'openai', ...chat }, modelConfig).model).toBe('gpt-4-turbo');
  expect(settingsFor({ kind: 'openai', ...chat }, { ...modelConfig, providerType: 'anthropic' }).model).toBe('gpt-4');
});

test('W9.02 M3.26 a model that OpenAI has ended is not asked for by a command: its agent’s answers; another server, and a later end, decide for themselves', () => {
  const asked = (named: string, host: string, now: string) => {
    const models: Models = {
      choose: ({ model }) => ({ ok: true, value: { provider: 'openai', host, model } as LanguageModel }),
    };
    const row = { kind: 'openai', parameters: { model: named }, userId: asOwner('ann') } as const;
    const own = { ...modelConfig, model: 'gpt-6.1-terra' };
    const { settings, chosen } = chooseForCommand(models, row, own, new Date(`${now}T12:00:00Z`));
    expect(chosen.ok && chosen.value.model).toBe(settings.model);
    return settings.model;
  };
  expect(asked('gpt-3.5-turbo', 'api.openai.com', '2026-11-30')).toBe('gpt-6.1-terra');
  expect(asked('gpt-3.5-turbo', 'api.openai.com', '2026-10-22')).toBe('gpt-3.5-turbo');
  expect(asked('gpt-4', 'gateway.example', '2026-11-30')).toBe('gpt-4');
  expect(asked('gpt-6.1-sol', 'api.openai.com', '2026-11-30')).toBe('gpt-6.1-sol');
});
