import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Question } from '../../../../contract/executions/question.ts';
import { messageOf, questionIn } from '../../../../server/modules/telegram/message-of.ts';

const link = 'https://artel.example/test-project?projectId=p&question=q';
const id = '019a2f10-0000-7000-8000-000000000010';
const person = { id, kind: 'person', title: 'Choose', text: 'Which?', task: '', inputs: [], buttons: [], actions: ['answer', 'stop'] };

function shown(question: object | null, more: object = {}) {
  const about = { status: 'completed' };
  return messageOf(
    { event: 'question.opened', project: 'Shop', about, question: question as Question | null, run: null, draft: null, link, ...more },
    'en',
  );
}

test('K7.03 the arguments of a call are shown whole or not at all, and only a link leads to the decision about it', () => {
  const call = { tool: 'send_mail', args: '{"to":"all"}', host: 'mail.example' };
  const tool = { ...person, kind: 'tool', text: '', actions: ['approve', 'refuse', 'stop'], call };
  const short = shown(tool);
  expect(short.text).toContain('send_mail → mail.example\n{"to":"all"}');
  expect(short.buttons).toEqual([]);
  expect(short.text.endsWith(link)).toBe(true);
  const long = shown({ ...tool, call: { ...call, args: `{"to":"${'a'.repeat(3_000)}"}` } });
  expect(long.text).not.toContain('aaa');
  expect(long.text).toContain('too long for a message');
  const budget = shown({ ...person, kind: 'budget', text: '', actions: ['asMuchAgain', 'endHere'] }, { event: 'budget.reached' });
  expect(budget.text).toContain('This is decided in Artel.');
  expect(budget.buttons).toEqual([]);
});

test('C5.11 K7.03 a message names the hosts of an install step and what wants them, and nothing but a link decides about them', () => {
  const long = 'x'.repeat(200);
  const hosts = [
    { host: 'codeload.github.com', wantedBy: ['left-pad'] },
    ...[1, 2, 3, 4].map((at) => ({ host: `${at}.example`, wantedBy: Array.from({ length: 5 }, () => long) })),
  ];
  const asked = { ...person, kind: 'install', text: '', actions: ['approve', 'refuse', 'stop'], install: { step: 'npm ci', hosts } };
  const { text, buttons } = shown(asked);
  expect(text).toContain('codeload.github.com ← left-pad\n1.example ← x');
  expect(text).toContain('This is decided in Artel.');
  expect([buttons, text.length < 4_096, text.endsWith(link)]).toEqual([[], true, true]);
});

test('K7.03 however long the names beside them are, arguments are shown whole or left out, and a text that is cut says so', () => {
  const long = (max: number) => fc.string({ unit: fc.constantFrom('a', '"', '{', 'ж', '\n'), maxLength: max });
  const link = `https://artel.example/${'a'.repeat(100)}?projectId=${id}&question=${id}`;
  fc.assert(
    fc.property(long(5_000), long(5_000), long(5_000), fc.integer({ min: 0, max: 6_000 }), (title, project, tool, length) => {
      const args = `{"to":"${'x'.repeat(length)}"}`;
      const call = { tool, args, host: tool };
      const { text } = shown({ ...person, kind: 'tool', title, text: '', actions: ['approve', 'refuse'], call }, { project, link });
      expect(text.includes(`\n${args}\n`)).not.toBe(text.includes('too long for a message') && !text.includes('xxx'));
      expect(text.endsWith(link)).toBe(true);
    }),
  );
  const fields = { ...person, text: 'b'.repeat(3_000), inputs: [{ id: 'size' }] };
  expect(shown(fields).text).toMatch(/b… \(the rest is in Artel\)\n\nThis is decided in Artel\./);
});

test('K7.02 a question of a person has its buttons, and one without buttons says that a reply answers', () => {
  expect(shown(person).text).toContain('Reply to this message to answer.');
  const { text, buttons } = shown({ ...person, buttons: ['Go', null] });
  expect(text).not.toContain('Reply');
  expect(buttons.flat().map((button) => button.text)).toEqual(['Go', 'Otherwise']);
  expect(buttons.flat()[0]).toEqual({ text: 'Go', callback_data: `${id}:0` });
  const handOff = shown({ ...person, kind: 'hand_off', text: '', actions: ['handOn', 'askAgain', 'stop'] }, { draft: '**Done**' });
  expect(handOff.text).toContain('Done');
  expect(handOff.buttons.flat()[0]).toEqual({ text: 'Hand on', callback_data: `${id}:h` });
});

test('K7.02 the end of a run names its task and why it has failed, shortened', () => {
  const run = { task: `**Order** ${'a'.repeat(1_000)}`, problem: 'The model has refused.' };
  const { text } = shown(null, { event: 'run.ended', about: { status: 'failed' }, run });
  expect(text).toMatch(/^The run has failed\.\nShop\n\nThe model has refused\.\n\nOrder a{300,500}…\n\nhttps:/);
  expect(shown(null, { event: 'run.ended' }).text).toBe(`The run has ended.\nShop\n\n${link}`);
});

test('K7.02 every message fits into one of Telegram and is well formed, and the data of its buttons fit too', () => {
  const word = fc.string({ unit: 'binary', maxLength: 6_000 });
  fc.assert(
    fc.property(word, word, word, fc.constantFrom('person', 'hand_off', 'tool'), (title, text, args, kind) => {
      const call = kind === 'tool' ? { call: { tool: 'find', args } } : {};
      const { text: message, buttons } = shown({
        ...person,
        kind,
        title: title.slice(0, 200),
        text,
        ...call,
        buttons: [title.slice(0, 40) || 'x'],
      });
      expect(message.length).toBeLessThanOrEqual(4_096);
      expect(message.isWellFormed()).toBe(true);
      for (const button of buttons.flat()) expect(Buffer.byteLength(button.callback_data)).toBeLessThanOrEqual(64);
    }),
    { numRuns: 200 },
  );
});

test('K7.02 a reply answers the question of the link at the end of the message, whatever its words are', () => {
  const other = '019a2f10-0000-7000-8000-000000000011';
  const own = `https://artel.example/test-project?projectId=p&question=${id}`;
  expect(questionIn(shown({ ...person, text: `?question=${other}` }, { link: own }).text)).toBe(id);
  expect(questionIn(shown(null, { event: 'run.ended', link: 'https://artel.example/test-project?projectId=p' }).text)).toBeNull();
  expect(questionIn(`${own} and more`)).toBeNull();
});
