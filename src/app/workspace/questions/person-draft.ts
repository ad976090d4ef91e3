import { z } from 'zod';
import {
  maxQuestionMinutes,
  type PersonSettings,
  personSettings,
  questionMinutes,
  type StepSettings,
  type WhenDue,
} from '../../../../contract/executions/run-graph.ts';

export const inputTypes = ['text', 'choice', 'number', 'file'] as const;
const minutesOfDay = 24 * 60;
/** Of a choice: the most options, and the longest one (UTF-16 units). */
export const choiceLimits = { options: 20, length: 200 } as const;

/** An input while it is edited: its options are the lines of a text. */
const inputFields = z.object({
  id: z.string(),
  label: z.string(),
  type: z.enum(inputTypes),
  isRequired: z.boolean(),
  options: z.string(),
});

/** What is wrong with a field. Each has a sentence in the locales. */
export type PersonFault = 'name' | 'options' | 'tooManyOptions' | 'longOption' | 'days' | 'email';

/** The settings of a person's card while they are edited. Those of a card that asks no person are never wrong. */
export const personFields = z
  .object({
    asks: z.boolean(),
    question: z.string(),
    inputs: z.array(inputFields),
    days: z.string(),
    whenDue: z.string(),
    email: z.string(),
    firstWins: z.boolean(),
  })
  .superRefine(({ asks, inputs, days, email }, { addIssue }) => {
    if (!asks) return;
    const tell = (message: PersonFault, ...path: (string | number)[]) => addIssue({ code: 'custom', message, path });
    for (const [at, { label, type, options }] of inputs.entries()) {
      if (label.trim() === '') tell('name', 'inputs', at, 'label');
      if (type !== 'choice') continue;
      const lines = linesOf(options);
      if (lines.length === 0) tell('options', 'inputs', at, 'options');
      else if (lines.length > choiceLimits.options) tell('tooManyOptions', 'inputs', at, 'options');
      else if (lines.some(({ length }) => length > choiceLimits.length)) tell('longOption', 'inputs', at, 'options');
    }
    const minutes = days.trim() === '' ? Number.NaN : Math.round(Number(days) * minutesOfDay);
    if (!(minutes >= 1 && minutes <= maxQuestionMinutes)) tell('days', 'days');
    if (email.trim() !== '' && !personSettings.shape.email.safeParse(email.trim()).success) tell('email', 'email');
  });
export type PersonDraft = z.infer<typeof personFields>;

export function draftOf({ person, firstWins }: StepSettings): PersonDraft {
  const { question = '', inputs = [], dueMinutes = questionMinutes, whenDue = 'fail', email = '' } = person ?? {};
  return {
    asks: person !== undefined,
    question,
    inputs: inputs.map(({ isRequired, options, ...input }) => ({
      ...input,
      isRequired: isRequired === true,
      options: (options ?? []).join('\n'),
    })),
    days: daysOf(dueMinutes),
    whenDue: typeof whenDue === 'object' ? `button:${whenDue.choose}` : whenDue,
    email,
    firstWins: firstWins === true,
  };
}

/** The settings of a draft without problems. `before`: those that it was made of. */
export function settingsOf(draft: PersonDraft, before: StepSettings): StepSettings | undefined {
  if (!draft.asks) return undefined;
  const { person: _person, firstWins: _firstWins, ...others } = before;
  return { ...others, ...(draft.firstWins && { firstWins: true as const }), person: personOf(draft, before.person) };
}

function personOf({ question, inputs, days, whenDue, email }: PersonDraft, before: PersonSettings | undefined): PersonSettings {
  // The days are shown rounded: those that were not changed keep their minutes.
  const known = before?.dueMinutes ?? questionMinutes;
  const dueMinutes = days === daysOf(known) ? known : Math.max(1, Math.round(Number(days) * minutesOfDay));
  const due: WhenDue = whenDue.startsWith('button:') ? { choose: whenDue.slice('button:'.length) } : whenDue === 'skip' ? 'skip' : 'fail';
  return {
    question: question.trim(),
    inputs: inputs.map(({ id, label, type, isRequired, options }) => ({
      id,
      label: label.trim(),
      type,
      ...(isRequired && { isRequired: true as const }),
      ...(type === 'choice' && { options: linesOf(options) }),
    })),
    ...(before?.buttons && { buttons: before.buttons }),
    ...(dueMinutes !== questionMinutes && { dueMinutes }),
    ...(due !== 'fail' && { whenDue: due }),
    ...(email.trim() !== '' && { email: email.trim() }),
  };
}

export function newInput(inputs: PersonDraft['inputs']): z.infer<typeof inputFields> {
  const taken = new Set(inputs.map(({ id }) => id));
  let number = 1;
  while (taken.has(`input${number}`)) number += 1;
  return { id: `input${number}`, label: '', type: 'text', isRequired: false, options: '' };
}

function daysOf(minutes: number): string {
  return String(Math.round((minutes / minutesOfDay) * 100) / 100);
}

function linesOf(text: string): string[] {
  return [...new Set(text.split('\n').flatMap((line) => line.trim() || []))];
}
