import { expect, test } from 'vitest';
import en from '../../../locales/en/canvas.json' with { type: 'json' };
import { toolWords } from '../../../src/canvas/tool-words.ts';
import { callSubject } from '../../../src/model/run/call-subject.ts';

const t = ((key: string, values: { count?: number; tool?: string } = {}) => {
  const texts = en.tools as Record<string, string>;
  const name = key.replace('tools.', '');
  const text = texts[name] ?? texts[`${name}_${values.count === 1 ? 'one' : 'other'}`] ?? key;
  return text.replace('{{count}}', String(values.count)).replace('{{tool}}', values.tool ?? '');
}) as never;

test.each([
  [{ tool: 'read_file', state: 'pending' }, 'reading 3 files'],
  [{ tool: 'search_files', state: 'pending' }, 'looking through files'],
  [{ tool: 'find_changes', state: 'pending' }, 'looking through files'],
  [{ tool: 'write_file', state: 'pending' }, 'writing a file'],
  [{ tool: 'edit_file', state: 'pending' }, 'writing a file'],
  [{ tool: 'move_file', state: 'pending' }, 'changing files'],
  [{ tool: 'delete_file', state: 'pending' }, 'changing files'],
  [{ tool: 'send_mail', state: 'running' }, 'calls send_mail'],
  [{ tool: 'send_mail', state: 'waiting' }, 'waiting for approval'],
  [null, '2 files read'],
] as const)('G3.03 the words for a call under way: %o', (current, words) => {
  expect(toolWords({ toolUse: { calls: 3, read: 2, written: 0, current } }, t)).toBe(words);
});

test('G3.35 a card says that the tests of its step are executed', () => {
  const testRun = { command: 'npm test', state: 'running', exitCode: null, reason: null, ms: null, hasLog: false, startedAt: '' } as const;
  expect(toolWords({ testRun }, t)).toBe('executing tests');
  expect(toolWords({ testRun: { ...testRun, waits: true } }, t)).toBe('waits for the runner');
  expect(toolWords({ testRun: { ...testRun, state: 'ended', exitCode: 0 } }, t)).toBe('');
});

test('G3.03 a line says what a call is about, with any arguments', () => {
  expect(callSubject('{"content":"x","path":"src/a.ts"}')).toBe('src/a.ts');
  expect(callSubject('{"to":"ann@example.com"}')).toBe('ann@example.com');
  expect(callSubject('{"from":"a.ts","to":"src/a.ts"}')).toBe('a.ts → src/a.ts');
  expect(callSubject('{"from":"ann","to":"bob","subject":"Hello"}')).toBe('ann');
  expect(callSubject('{"a":1}')).toBe('');
  expect(callSubject('no json')).toBe('');
  expect(callSubject(JSON.stringify({ text: `a\n${'b'.repeat(100)}` }))).toHaveLength(80);
});
