import { expect, test, vi } from 'vitest';
import { modelDefaults, providerModels, providerTypes } from '../../../../contract/agent.ts';
import { newAgentModel } from '../../../../server/modules/agents/index.ts';
import { createListedModel, operatorConnections } from '../../../../server/modules/connections/index.ts';
import type { Egress } from '../../../../server/platform/egress/egress.ts';
import { createScrubber } from '../../../../server/platform/egress/scrubber.ts';
import { createDescribeModel } from '../../../../server/platform/model-lists/describe-model.ts';
import { endedModels, endOf, knownModel, knownModels } from '../../../../server/platform/model-lists/known-models.ts';

const openai = 'https://api.openai.com/v1';
const anthropic = 'https://api.anthropic.com/v1';
const keys = (openaiKey: string | null, anthropicKey: string | null, openaiUrl = openai) => ({
  openai: { apiKey: openaiKey, baseUrl: openaiUrl },
  anthropic: { apiKey: anthropicKey, baseUrl: anthropic },
});
const describeModel = createDescribeModel({ find: () => null }, () => new Date('2026-11-26'));

test('M3.14 models that a provider has ended are named with their day and what to take in their place', () => {
  expect(endOf('openai', 'gpt-4')).toEqual({ on: '2026-10-23', instead: 'gpt-6.1-sol' });
  for (const name of ['gpt-4-turbo', 'gpt-3.5-turbo']) expect(endOf('openai', name)?.on).toBe('2026-10-23');
  for (const { provider, instead } of endedModels) if (instead !== undefined) expect(endOf(provider, instead)).toBeNull();
  expect(endOf('anthropic', 'claude-3-sonnet')).toBeNull();
});

test('M3.14 M3.26 each provider with a catalogue of its own has ends, and what is offered first for it is served today and needs no successor', () => {
  for (const provider of ['openai', 'anthropic', 'google', 'deepseek', 'mistral', 'xai'] as const)
    expect([provider, endedModels.some((line) => line.provider === provider)]).toEqual([provider, true]);
  for (const provider of providerTypes) {
    const [first, ...others] = providerModels[provider].map(({ name }) => endOf(provider, name));
    expect([provider, first]).toEqual([provider, null]);
    // What has ended stands behind what is served.
    const ends = others.map((end) => Number(end !== null));
    expect(ends).toEqual(ends.toSorted());
  }
  expect(endOf('deepseek', 'deepseek-chat')).toEqual({ on: '2026-07-24', instead: 'deepseek-flash' });
  expect(endOf('xai', 'grok-4')).toEqual({ on: '2026-05-15', instead: 'grok-4.3' });
});

test('M3.14 each line of the model tables names its source and its day, and each current model of a provider with a table is in it', () => {
  expect(knownModels.every(({ source, checked }) => source.startsWith('https://') && checked.startsWith('2026-'))).toBe(true);
  for (const provider of ['openai', 'anthropic', 'google', 'deepseek', 'mistral', 'xai'] as const)
    for (const { name } of providerModels[provider].filter((one) => !['deepseek-chat', 'deepseek-reasoner', 'grok-4'].includes(one.name)))
      expect([name, knownModel(provider, name)?.context]).toEqual([name, expect.any(Number)]);
});

test('M3.14 a listed model has the window, the tools and the end that the tables know, unless another server has its name', () => {
  expect(describeModel('openai', { id: 'gpt-4' }, null)).toEqual({
    ...{ id: 'gpt-4', context: 8_192, tools: true, sees: false },
    ended: { on: '2026-10-23', instead: 'gpt-6.1-sol' },
  });
  expect(describeModel('openai', { id: 'gpt-4' }, 'proxy.example')).toEqual({ id: 'gpt-4' });
  expect(describeModel('openai', { id: 'gpt-6.1-sol', context: 5 }, null)).toMatchObject({ context: 5, tools: true });
});

test('M3.15 without a key of the operator new agents have the defaults of the specification', () => {
  expect(newAgentModel(operatorConnections(keys(null, null), null))).toEqual({ ...modelDefaults, connectionId: null });
});

test('M3.15 with a key of the operator new agents have a model that is served, and nothing is sent that it refuses', () => {
  const found = operatorConnections(keys('sk-x', 'sk-ant-x'), null);
  expect([...found.values()].map(({ provider }) => provider)).toEqual(['openai', 'anthropic']);
  const given = newAgentModel(found);
  expect(given).toMatchObject({ providerType: 'openai', model: 'gpt-6.1-terra', temperature: null, maxTokens: null });
  expect(given.connectionId).toBe([...found.keys()][0]);
  expect(endOf('openai', given.model)).toBeNull();
  expect(newAgentModel(operatorConnections(keys(null, 'sk-ant-x'), null))).toMatchObject({
    providerType: 'anthropic',
    model: 'claude-sonnet-5-5',
  });
});

test('M3.15 the setting chooses the model of new agents, and its provider', () => {
  const both = keys('sk-x', 'sk-ant-x');
  expect(newAgentModel(operatorConnections(both, 'claude-opus-5-5'))).toMatchObject({
    providerType: 'anthropic',
    model: 'claude-opus-5-5',
  });
  expect(newAgentModel(operatorConnections(both, 'anthropic:own-name'))).toMatchObject({ providerType: 'anthropic', model: 'own-name' });
  const own = operatorConnections(keys('any', null, 'http://127.0.0.1:11434/v1'), 'qwen3');
  expect(newAgentModel(own)).toMatchObject({ providerType: 'openai', model: 'qwen3', temperature: 0.7, maxTokens: 4_000 });
});

test('M3.15 on a server of the operator whose model no setting names, new agents have one that its list has', async () => {
  const own = operatorConnections(keys('any', null, 'http://llm.example/v1'), null);
  let lists: string[][] = [];
  const call: Egress = async () => {
    const ids = lists.shift();
    const text = JSON.stringify({ data: ids?.map((id) => ({ id })) });
    const body = (async function* () {
      yield Buffer.from(text);
    })();
    return { status: ids ? 200 : 503, ok: ids !== undefined, headers: {}, body, text: async () => text, scrubber: createScrubber([]) };
  };
  let now = 0;
  const chosen = async (...ids: string[]) => {
    lists = [ids];
    const listed = createListedModel(own, call, () => now);
    await vi.waitFor(() => expect(listed()).not.toBeNull(), { timeout: 15_000 });
    return newAgentModel(own, listed()).model;
  };
  expect(await chosen('text-embedding-3', 'house-large', 'house-small')).toBe('house-large');
  expect(await chosen('house-large', 'gpt-6-luna')).toBe('gpt-6-luna');
  expect(await chosen('gpt-6-luna', 'gpt-4')).toBe('gpt-4');
  const unread = createListedModel(own, call, () => now);
  expect(newAgentModel(own, unread()).model).toBe(modelDefaults.model);
  lists = [['house-large']];
  expect(unread()).toBeNull();
  now = 30_000;
  await vi.waitFor(() => expect(unread()).toBe('house-large'), { timeout: 15_000 });
  expect(createListedModel(operatorConnections(keys('sk-x', null), null), call)()).toBeNull();
});

test('M3.15 a connection of the operator has the same id on each node', () => {
  const ids = () => [...operatorConnections(keys('sk-x', null), null).keys()];
  expect(ids()).toEqual(ids());
});
