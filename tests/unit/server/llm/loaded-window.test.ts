import { expect, test } from 'vitest';
import type { Egress } from '../../../../server/platform/egress/egress.ts';
import { readWindow } from '../../../../server/platform/llm/fit/window-of.ts';
import { windowReader } from '../../../../server/platform/llm/local/loaded-window.ts';

type Told = Record<string, unknown>;
const signal = new AbortController().signal;
const made = { 'general.architecture': 'qwen3', 'qwen3.context_length': 131_072 };
const loaded = (context_length?: number) => ({ models: [{ name: 'qwen3:8b', ...(context_length !== undefined && { context_length }) }] });

/** Returns the window that a server tells by these answers, by path; and what it was asked. */
async function read(told: Told, { provider = 'ollama', base = 'http://127.0.0.1:11434/v1', model = 'qwen3:8b' } = {}) {
  const asked: string[] = [];
  const call = (async (href: string) => {
    const path = new URL(href).pathname;
    asked.push(path);
    const answer = told[path];
    const value = Array.isArray(answer) ? answer[asked.filter((one) => one === path).length - 1] : answer;
    return { ok: value !== undefined, text: async () => JSON.stringify(value) };
  }) as unknown as Egress;
  const reader = windowReader(provider as 'ollama', { address: new URL(base), model, headers: {}, call });
  return { window: await reader?.(signal), asked };
}

test.each<[string, Told, number | null]>([
  ['that is loaded', { '/api/ps': loaded(4_096), '/api/show': { model_info: made, parameters: 'temperature 0.6' } }, 4_096],
  [
    'of its settings',
    { '/api/ps': { models: [] }, '/api/show': { model_info: made, parameters: 'num_ctx                        8192\nstop "x"' } },
    8_192,
  ],
  ['of its settings, loaded larger', { '/api/ps': loaded(32_768), '/api/show': { model_info: made, parameters: 'num_ctx 8192' } }, 8_192],
  ['that it was made for, loaded larger', { '/api/ps': loaded(262_144), '/api/show': { model_info: made } }, 131_072],
  ['of an old server, which tells none', { '/api/ps': loaded(), '/api/show': { model_info: made } }, null],
  ['of a server that answers in another form', { '/api/ps': { models: 'none' }, '/api/show': [] }, null],
  ['of a server that refuses', {}, null],
])('M4.17 the smallest window of a model counts: %s', async (_name, told, window) => {
  expect((await read(told)).window).toBe(window);
});

test('M4.17 a model that is not loaded is loaded, since only then its server tells the window', async () => {
  const told = { '/api/ps': [{ models: [] }, loaded(4_096)], '/api/show': { model_info: made }, '/api/generate': { done: true } };
  const { window, asked } = await read(told);
  expect(window).toBe(4_096);
  expect(asked).toEqual(['/api/show', '/api/ps', '/api/generate', '/api/ps']);
});

test('M4.17 a name without a tag is the latest one, and a path before the version stays', async () => {
  const told = { '/gate/api/ps': { models: [{ name: 'llama3:latest', context_length: 2_048 }] }, '/gate/api/show': {} };
  expect((await read(told, { base: 'http://box:8080/gate/v1', model: 'llama3' })).window).toBe(2_048);
});

test('M4.17 Ollama is known by its port behind a compatible connection too; other servers are not asked', async () => {
  const told = { '/api/ps': loaded(4_096), '/api/show': {} };
  expect((await read(told, { provider: 'compatible' })).window).toBe(4_096);
  expect((await read(told, { provider: 'openai' })).window).toBe(4_096);
  expect(await read(told, { provider: 'compatible', base: 'http://127.0.0.1:8000/v1' })).toEqual({ window: undefined, asked: [] });
});

test('M4.17 LM Studio tells the window of a model that is loaded', async () => {
  const path = '/api/v0/models/qwen3%3A8b';
  const at = { provider: 'lmstudio', base: 'http://127.0.0.1:1234/v1' };
  expect((await read({ [path]: { state: 'loaded', loaded_context_length: 4_096 } }, at)).window).toBe(4_096);
  expect((await read({ [path]: { state: 'not-loaded', max_context_length: 131_072 } }, at)).window).toBeNull();
});

test('M4.17 a model that was loaded anew has its new window, whatever is known of the one before', async () => {
  const known = { contextWindow: 4_096, readWindow: async () => 64_000 };
  expect(await readWindow(known, signal)).toEqual({ tokens: 64_000, isLoaded: true });
  expect(await readWindow({ ...known, readWindow: async () => null }, signal)).toEqual({ tokens: 4_096, isLoaded: false });
});
