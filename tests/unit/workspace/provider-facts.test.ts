import { expect, test } from 'vitest';
import { foreignKey, freeName, providerOfKey } from '../../../src/app/workspace/connections/provider-facts.ts';

test('M3.23 a pasted key tells its provider where its beginning does', () => {
  expect(['sk-proj-1', ' sk-ant-api03-1', 'sk-or-v1-1', 'AIzaSy1', 'xai-1', 'AQVN1', '0123456789'].map(providerOfKey)).toEqual([
    ...(['openai', 'anthropic', 'openrouter', 'google', 'xai', 'yandexgpt', null] as const),
  ]);
});

test('M3.23 a key of another provider is told before it is sent, unless any key may be right', () => {
  expect(foreignKey('openai', 'sk-ant-1')).toBe('anthropic');
  expect(foreignKey('google', 'xai-1')).toBe('xai');
  expect(foreignKey('anthropic', 'sk-ant-1')).toBeNull();
  expect(foreignKey('deepseek', 'sk-1')).toBeNull();
  expect(foreignKey('compatible', 'sk-ant-1')).toBeNull();
});

test('M3.22 a new connection has the name of its provider, with a number where that is taken', () => {
  expect(freeName('OpenAI', [])).toBe('OpenAI');
  expect(freeName('OpenAI', ['OpenAI', 'OpenAI 2'])).toBe('OpenAI 3');
});
