import type { QuestionAnswer, QuestionDetails } from '../../../../contract/executions/question.ts';
import { type InputProblems, inputValues } from '../../answers/input-values.ts';
import type { QuestionDraft } from './question-draft.ts';

/** The key of the text among the wrong fields: no input has this id. */
export const ownText = '*';

type AnsweredQuestion = Pick<QuestionDetails, 'reason' | 'inputs' | 'buttons' | 'backButtons'>;

/** The values that a button sends, and the fields that keep it from that. A button that sends the work back needs words. */
export function cardAnswer(
  { reason, inputs, buttons, backButtons = [] }: AnsweredQuestion,
  draft: Pick<QuestionDraft, 'text' | 'texts' | 'files'>,
  label: string | null | undefined,
): { values: NonNullable<QuestionAnswer['values']>; problems: InputProblems } {
  const { values, problems } = inputValues(inputs, draft);
  const isSilent = draft.text.trim() === '' && !inputs.some(({ id, type }) => type === 'text' && Object.hasOwn(values, id));
  if (reason === 'card' && isSilent && inputs.length + buttons.length === 0) problems[ownText] = 'required';
  if (reason === 'card' && isSilent && label !== undefined && backButtons.includes(label)) problems[ownText] = 'change';
  return { values, problems };
}
