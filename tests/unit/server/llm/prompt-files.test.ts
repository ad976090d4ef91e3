import { expect, test } from 'vitest';
import en from '../../../../locales/en/content/prompt.json' with { type: 'json' };
import type { ModelRequest } from '../../../../server/platform/llm/language-model.ts';
import { conversationOf } from '../../../../server/platform/llm/prompt.ts';

const promptWith = (tools: string[]): string => {
  const turn: ModelRequest = {
    ...{ role: 'Developer', agentTitle: 'Developer', systemPrompt: '', task: 'Plan', earlier: [], contexts: [] },
    inputs: { files: [{ path: 'a.ts', bytes: 3, mime: 'text/plain', isReadable: true }], count: 1, git: null, texts: [] },
    ...{ language: 'en', temperature: 0, maxTokens: 1, idempotencyKey: '' },
    tools: tools.map((name) => ({ name, description: '', parameters: {} })),
  };
  return conversationOf(turn).messages.at(-1)?.content ?? '';
};

test('C1.08 an agent with tools that change files is not asked for whole files in its answer', () => {
  const prompt = promptWith(['read_file', 'edit_file']);
  expect(prompt).toContain(en.filesByTools);
  for (const words of [en.files, en.handOverWhole, en.filesAreRead]) expect(prompt).not.toContain(words);
});

test('C1.08 the prompt tells a read-only agent that it only reads, and an agent without file tools to hand over whole files', () => {
  expect(promptWith(['read_file'])).toContain(en.filesAreRead);
  expect(promptWith(['read_file'])).not.toContain(en.files);
  const prompt = promptWith(['fetch_page']);
  for (const words of [en.files, en.handOverWhole]) expect(prompt).toContain(words);
});
