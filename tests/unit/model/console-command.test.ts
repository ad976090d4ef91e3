import fc from 'fast-check';
import { expect, test } from 'vitest';
import { commandIdOf, isCommandId } from '../../../src/model/console/command-id.ts';
import {
  analysisSettings,
  consoleAgents,
  parseConsoleInput,
  promptSettings,
  slashCommands,
  suggestCommands,
} from '../../../src/model/console/console-command.ts';
import { normalizeServerAnswer } from '../../../src/model/normalize-server-answer.ts';
import { team } from '../../support/engine/samples.ts';

test('W2.15 empty text is ignored', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^\s*$/), (blank) => {
      expect(parseConsoleInput(blank)).toEqual({ kind: 'empty' });
    }),
  );
});

test('W2.16 a slash command is its name, in any case, and the text behind it', () => {
  fc.assert(
    fc.property(fc.constantFrom(...slashCommands), fc.string(), fc.boolean(), (name, text, loud) => {
      const written = `  /${loud ? name.toUpperCase() : name} ${text}`;
      expect(parseConsoleInput(written)).toEqual({ kind: 'command', name, text: text.trim() });
    }),
  );
  expect(parseConsoleInput('/ai line one\nline two')).toEqual({ kind: 'command', name: 'ai', text: 'line one\nline two' });
});

test.each([
  ['/dance now', '/dance'],
  ['hello there', 'hello there'],
  ['/', '/'],
  ['/aix', '/aix'],
  ['// ai', '//'],
])('W2.16 anything else is unknown: %s', (written, shown) => {
  expect(parseConsoleInput(written)).toEqual({ kind: 'unknown', shown });
});

test('W2.16 a long text is cut where it is said to be unknown', () => {
  expect(parseConsoleInput('x'.repeat(500))).toEqual({ kind: 'unknown', shown: `${'x'.repeat(59)}…` });
});

test('W2.16 commands are offered while their name is being written', () => {
  expect(suggestCommands('/')).toEqual(slashCommands);
  expect(suggestCommands('/A')).toEqual(['ai', 'analyze', 'agent-stats']);
  expect(suggestCommands('/ai ')).toEqual([]);
  expect(suggestCommands('what is /ai')).toEqual([]);
  expect(suggestCommands('')).toEqual([]);
});

test('W9.02 /ai asks for 1,000 tokens of gpt-3.5-turbo at 0.7, an analysis for 2,000 of gpt-4 at 0.3', () => {
  expect(promptSettings).toEqual({ model: 'gpt-3.5-turbo', max_tokens: 1_000, temperature: 0.7 });
  expect(analysisSettings).toEqual({ model: 'gpt-4', max_tokens: 2_000, temperature: 0.3 });
});

test('W2.17 the console speaks to active agents of four kinds', () => {
  const agents = team.map((agent) => (agent.name === 'team-lead' ? { ...agent, status: 0 as const } : agent));
  const byId = Object.fromEntries(agents.map((agent) => [agent.id, agent]));
  expect(
    consoleAgents({ byId, order: agents.map(({ id }) => id) })
      .map(({ name }) => name)
      .toSorted(),
  ).toEqual(['assistant', 'prod-mgr', 'proj-mgr']);
});

test.each(['', '   ', '[object Object]', '[object Promise]', null, undefined, 7, {}, ['a']])('W5.06 no id of a command: %j', (value) => {
  expect(isCommandId(value)).toBe(false);
});

test('W5.06 an id is found wherever a server puts it, and no other text is taken for one', () => {
  const id = '01900000-0000-7000-8000-000000000001';
  for (const answer of [{ id }, { commandId: id }, { data: { id } }, { result: { commandId: id } }, { response: { data: { id } } }]) {
    expect(commandIdOf(answer)).toBe(id);
  }
  expect(commandIdOf({ id: '[object Object]', commandId: id })).toBe(id);
  for (const answer of [null, 'x', {}, { id: '' }, { result: 'done' }, { data: { id: 5 } }]) expect(commandIdOf(answer)).toBeNull();
});

test('W5.06 the answer to a command is read with its id and its status in the words of the contract', () => {
  expect(normalizeServerAnswer('command.executeAsync', { data: { id: 'c-1' }, status: 2 })).toMatchObject({
    id: 'c-1',
    commandId: 'c-1',
    status: 'running',
  });
  expect(normalizeServerAnswer('command.status', { id: 'c-1', status: 'success' })).toMatchObject({ status: 'completed' });
  expect(normalizeServerAnswer('command.availability', { isAvailable: true, status: 2 })).toEqual({ isAvailable: true, status: 2 });
});
