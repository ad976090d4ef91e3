import iconv from 'iconv-lite';
import { expect, test } from 'vitest';
import { answerFileMaxLength, answerTextMaxLength, questionAnswer } from '../../../contract/executions/question.ts';
import type { PersonInput } from '../../../contract/executions/run-graph.ts';
import { readAnswerFile } from '../../../src/app/answers/read-answer-file.ts';
import { answerOf, draftAsText, emptyDraft, valuesOfAnswer } from '../../../src/app/question-link/answer-draft.ts';

const inputs: PersonInput[] = [
  { id: 'budget', label: 'Budget', type: 'number', isRequired: true },
  { id: 'size', label: 'Size', type: 'choice', options: ['small', 'large'] },
  { id: 'plan', label: 'Plan', type: 'file' },
];
const card = { kind: 'person' as const, inputs, draft: null };
const asked = { ...card, buttons: ['Ship', null] };

test('G2.04 the values, the button and the comment of a draft make an answer that the API takes', () => {
  const file = { name: 'plan.md', content: '# Plan' };
  const made = answerOf(asked, { texts: { budget: ' 1 200,5 ', size: 'large' }, files: { plan: file }, text: 'Good.' }, null);
  const answer = { action: 'answer', label: null, values: { budget: 1200.5, size: 'large', plan: file }, text: 'Good.' };
  expect(made).toEqual({ ok: true, answer });
  expect(questionAnswer.parse(answer)).toEqual(answer);
});

test.each([
  ['a missing required value', { texts: { budget: '  ' } }, { budget: 'required' }],
  ['a text where a number is asked for', { texts: { budget: 'two' } }, { budget: 'number' }],
  ['an endless number', { texts: { budget: '1e999' } }, { budget: 'number' }],
  ['a comment that is too long', { texts: { budget: '2' }, text: 'x'.repeat(answerTextMaxLength + 1) }, { text: 'long' }],
])('G2.04 %s is a problem of its field', (_, draft, problems) => {
  expect(answerOf(asked, { ...emptyDraft, ...draft }, 'Ship')).toEqual({ ok: false, problems });
});

test('G2.04 without inputs and buttons the text is the answer', () => {
  const free = { ...card, inputs: [], buttons: [] };
  expect(answerOf(free, emptyDraft)).toEqual({ ok: false, problems: { text: 'required' } });
  expect(answerOf(free, { ...emptyDraft, text: 'Yes' })).toEqual({ ok: true, answer: { action: 'answer', text: 'Yes' } });
});

test('G2.04 a button that sends the work back asks for words; the text of an input is enough', () => {
  const approval = {
    ...card,
    inputs: [{ id: 'why', label: 'Why', type: 'text' as const }],
    buttons: ['Approve', 'Change'],
    backButtons: ['Change'],
  };
  expect(answerOf(approval, emptyDraft, 'Change')).toEqual({ ok: false, problems: { text: 'change' } });
  expect(answerOf(approval, { ...emptyDraft, text: ' ' }, 'Change')).toEqual({ ok: false, problems: { text: 'change' } });
  expect(answerOf(approval, { ...emptyDraft, text: 'Shorter' }, 'Change').ok).toBe(true);
  expect(answerOf(approval, { ...emptyDraft, texts: { why: 'Too long' } }, 'Change').ok).toBe(true);
  expect(answerOf(approval, emptyDraft, 'Approve').ok).toBe(true);
});

test('G2.04 the values of an answer are shown by their labels, files by their names', () => {
  const values = { budget: 1200.5, plan: { name: 'plan.md' }, gone: 'x' };
  expect(valuesOfAnswer({ inputs }, { action: 'answer', values })).toEqual([
    { label: 'Budget', value: '1200.5' },
    { label: 'Plan', value: 'plan.md' },
    { label: 'gone', value: 'x' },
  ]);
});

test('G2.02 a result is handed on as it is, or with the edited text', () => {
  const handOn = (text: string | null) =>
    answerOf({ kind: 'hand_off', inputs: [], buttons: [], draft: 'Written.' }, { ...emptyDraft, text });
  expect(handOn(null)).toEqual({ ok: true, answer: { action: 'handOn' } });
  expect(handOn('Written.')).toEqual({ ok: true, answer: { action: 'handOn' } });
  expect(handOn('Better.')).toEqual({ ok: true, answer: { action: 'handOn', text: 'Better.' } });
  expect(handOn(' ')).toEqual({ ok: false, problems: { text: 'required' } });
});

test('G2.06 a draft that cannot be sent is shown as text, also when its inputs are no longer known', () => {
  const draft = { texts: { budget: '500', size: '' }, files: { plan: { name: 'plan.md', content: '' } }, text: 'Good.' };
  expect(draftAsText({ inputs: asked.inputs }, draft)).toBe('Budget: 500\nPlan: plan.md\n\nGood.');
  expect(draftAsText({ inputs: [] }, draft)).toBe('budget: 500\n\nGood.');
  expect(draftAsText({ inputs: [] }, emptyDraft)).toBe('');
});

test('G2.04 a chosen file is a text file of a limited size', async () => {
  expect(await readAnswerFile(new File(['Мука'], 'list.txt'))).toEqual({
    file: { name: 'list.txt', content: 'Мука' },
    encoding: null,
  });
  expect(await readAnswerFile(new File([new Uint8Array([0xff, 0xfe, 0x80])], 'a.bin'))).toBe('binary');
  expect(await readAnswerFile(new File(['a\0b'], 'a.bin'))).toBe('binary');
  expect(await readAnswerFile(new File(['x'.repeat(answerFileMaxLength)], 'a.txt'))).toMatchObject({ file: { name: 'a.txt' } });
  expect(await readAnswerFile(new File(['x'.repeat(answerFileMaxLength + 1)], 'a.txt'))).toBe('large');
});

const sentence = 'Мука пшеничная, сахар и соль для всей пекарни';

test.each([
  ['windows-1251', iconv.encode(sentence, 'windows-1251')],
  ['koi8-r', iconv.encode(sentence, 'koi8-r')],
  ['utf-16le', iconv.encode(sentence, 'utf-16le', { addBOM: true })],
  ['utf-16be', iconv.encode(sentence, 'utf-16be', { addBOM: true })],
])('G8.41 a file of an answer is read in its encoding: %s', async (encoding, bytes) => {
  const read = await readAnswerFile(new File([new Uint8Array(bytes)], 'list.txt'));
  expect(read).toEqual({ file: { name: 'list.txt', content: sentence }, encoding });
});

test('G8.41 a file of an answer that is too long in UTF-8 is refused as too large', async () => {
  const letters = new Uint8Array(iconv.encode(`${sentence} `.repeat(4_000), 'windows-1251'));
  expect(await readAnswerFile(new File([letters], 'list.txt'))).toBe('large');
});
