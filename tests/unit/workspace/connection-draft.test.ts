import { expect, test } from 'vitest';
import type { ModelConnection } from '../../../contract/model-connection.ts';
import {
  type ConnectionDraft,
  connectionDraft,
  connectionFields,
  creationOf,
  readExtraBody,
  updateOf,
} from '../../../src/app/workspace/connections/connection-draft.ts';
import { isConnected } from '../../../src/app/workspace/connections/use-local-servers.ts';
import { fieldMessages } from '../../../src/ui/form/use-zod-form.ts';

const stored = {
  ...{ id: 'one', owner: 'user', name: 'Gateway', provider: 'compatible', address: 'https://models.example/v1', folderId: null },
  ...{ hasKey: true, keyLast4: 'f00d', headerNames: ['X-Team'], extraBody: { num_ctx: 32_768 }, defaultModel: null },
  projectId: null,
  modelCount: null,
  modelsAt: null,
  modelsProblem: null,
  tested: null,
  agents: 0,
  createdAt: '2026-11-26T00:00:00.000Z',
  updatedAt: '2026-11-26T00:00:00.000Z',
} as const satisfies ModelConnection;
const edited = (changes: Partial<ConnectionDraft>, of: ModelConnection | null = null): ConnectionDraft => ({
  ...connectionDraft(of),
  ...changes,
});

test('M3.22 a new connection is sent with what was typed, under the name of its provider where none was', () => {
  expect(creationOf(edited({ apiKey: ' sk-one ' }), 'OpenAI 2', 'project')).toEqual({
    provider: 'openai',
    name: 'OpenAI 2',
    apiKey: 'sk-one',
  });
  const draft = edited({
    ...{ provider: 'compatible', name: ' Gateway ', address: ' https://models.example ', owner: 'project', folderId: 'of-yandex' },
    ...{
      extraBody: '{"num_ctx": 1}',
      headers: [
        { name: ' X-Team ', value: 'a', isStored: false },
        { name: '', value: '', isStored: false },
      ],
    },
  });
  expect(creationOf(draft, 'Other', 'project')).toEqual({
    ...{ provider: 'compatible', name: 'Gateway', address: 'https://models.example', projectId: 'project' },
    ...{ extraBody: { num_ctx: 1 }, headers: [{ name: 'X-Team', value: 'a' }] },
  });
});

test('M3.22 only the changed fields of an edited connection are sent, and stored header values stay', () => {
  expect(updateOf(connectionDraft(stored), {})).toEqual({});
  expect(updateOf(edited({ name: ' ', apiKey: ' ' }, stored), { name: true, apiKey: true })).toEqual({});
  const headers = [...connectionDraft(stored).headers, { name: 'X-Title', value: 'Artel', isStored: false }];
  const changed = { headers: [{}, { name: true, value: true }], address: true, defaultModel: true };
  expect(updateOf(edited({ headers, address: '', defaultModel: ' house ' }, stored), changed)).toEqual({
    ...{ address: null, defaultModel: 'house' },
    headers: [
      { name: 'X-Team', value: null },
      { name: 'X-Title', value: 'Artel' },
    ],
  });
  expect(updateOf(edited({ extraBody: '', headers: [] }, stored), { extraBody: true, headers: [{ name: true }] })).toEqual({
    extraBody: null,
    headers: [],
  });
});

test('M3.22 a missing address or key and a text that is no object in JSON are told before anything is sent', () => {
  const wrong = (changes: Partial<ConnectionDraft>, isNew = false) =>
    connectionFields(isNew)
      .safeParse(edited(changes))
      .error?.issues.map(({ path }) => path.join('.')) ?? [];
  expect(wrong({ provider: 'compatible' })).toEqual(['address']);
  expect(wrong({ extraBody: '[1]' })).toEqual(['extraBody']);
  expect(wrong({ provider: 'compatible', extraBody: '[1]' })).toEqual(['extraBody', 'address']);
  expect(wrong({})).toEqual([]);
  expect([wrong({}, true), wrong({ apiKey: 'sk-one' }, true), wrong({ provider: 'ollama' }, true)]).toEqual([['apiKey'], [], []]);
  expect(['', ' ', '{"a":1}', '[]', 'null', '{'].map(readExtraBody)).toEqual([null, null, { a: 1 }, undefined, undefined, undefined]);
});

test('M3.22 the sentences of the server stand at their fields', () => {
  const details = [
    { code: 'api.message', params: { path: 'body.headers.0.value', message: 'A line break.' } },
    { code: 'api.message', params: { path: 'apiKey', message: 'Of another provider.' } },
    { code: 'api.message', params: { path: 'apiKey', message: 'A second one.' } },
  ];
  const fields = Object.keys(connectionDraft(null));
  const messages = fieldMessages({ code: 'connection_refused', details }, fields);
  expect(Object.fromEntries(messages)).toEqual({ headers: 'A line break.', apiKey: 'Of another provider.' });
  expect(fieldMessages(null, fields).size).toBe(0);
});

test('M3.29 a server on this computer is not offered when it is connected, by any name of the computer', () => {
  const server = { provider: 'ollama', address: 'http://127.0.0.1:11434/v1', models: 1 } as const;
  const at = (address: string | null, provider = 'ollama') => [{ ...stored, provider, address } as ModelConnection];
  expect(isConnected(server, at(null))).toBe(true);
  expect(isConnected(server, at('http://localhost:11434'))).toBe(true);
  expect(isConnected(server, at('http://localhost:1234', 'lmstudio'))).toBe(false);
  expect(isConnected(server, at('http://localhost:11435'))).toBe(false);
});
