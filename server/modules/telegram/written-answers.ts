import type { Question, QuestionAnswer, QuestionKind } from '../../../contract/executions/question.ts';
import type { Language } from '../../http/call.ts';
import { type ServerText, translate } from '../../http/language.ts';
import type { Button } from '../../platform/telegram/bot-api.ts';

/** How questions of a kind are answered by messages, which have words and buttons and no fields. */
type WrittenAnswers = {
  /** What a reply to the message does; null where only buttons answer. */
  hint: (question: Question) => 'telegram.replyAnswers' | 'telegram.replyReturns' | null;
  /** The buttons that answer, one a row. Their data name the question and what the button says. */
  buttons: (question: Question, language: Language) => Button[][];
  /** The answer of a reply; or why there is none. */
  ofText: (question: Question, text: string) => QuestionAnswer | ServerText;
  /** The answer of a button by the end of its data. */
  ofButton: (question: Question, data: string) => QuestionAnswer | ServerText;
  /** The answer of a comment, which has no buttons: their words stand for them. */
  ofComment: (question: Question, text: string, language: Language) => QuestionAnswer | string;
};

/** Null: what asks for tools or money is answered in Artel. */
const writtenAnswers: Record<QuestionKind, WrittenAnswers | null> = {
  hand_off: {
    hint: ({ actions }) => (actions.includes('askAgain') ? 'telegram.replyReturns' : null),
    buttons: ({ id }, language) => [[{ text: translate(language, 'telegram.handOn'), callback_data: `${id}:h` }]],
    ofText: askingAgain,
    ofButton: (_question, data) => (data === 'h' ? { action: 'handOn' } : 'telegram.gone'),
    ofComment: (question, text, language) => {
      if (/^(?:ok|ок|\+|да|yes)$/i.test(text) && question.actions.includes('handOn')) return { action: 'handOn' };
      const answer = askingAgain(question, text);
      return typeof answer === 'string' ? translate(language, answer) : answer;
    },
  },
  person: {
    hint: ({ buttons }) => (buttons.length === 0 ? 'telegram.replyAnswers' : null),
    buttons: ({ id, buttons }, language) =>
      wordsOfButtons(buttons, language).map((text, index) => [{ text, callback_data: `${id}:${index}` }]),
    ofText: ({ buttons }, text) => (buttons.length > 0 ? 'telegram.pressButton' : { action: 'answer', text }),
    ofButton: ({ buttons }, data) => {
      const label = buttons[Number(data)];
      return label === undefined ? 'telegram.gone' : { action: 'answer', label };
    },
    ofComment: ({ buttons }, text, language) => {
      if (buttons.length === 0) return { action: 'answer', text };
      const labels = wordsOfButtons(buttons, language);
      const at = labels.findIndex((label) => label.toLowerCase() === text.toLowerCase());
      if (at < 0) return translate(language, 'forge.chooseOne', { buttons: labels.join(' · ') });
      return { action: 'answer', label: buttons[at] ?? null };
    },
  },
  tool: null,
  unknown_outcome: null,
  budget: null,
  room: null,
  install: null,
};

/** Returns the words of a question's buttons; the one without a label is *Otherwise*. */
export function wordsOfButtons(buttons: Question['buttons'], language: Language): string[] {
  return buttons.map((label) => label ?? translate(language, 'telegram.otherwise'));
}

/** Returns how a question is answered by a message; null for one that is answered in Artel, as one with fields. */
export function answersByMessage({ kind, inputs, actions }: Pick<Question, 'kind' | 'inputs' | 'actions'>): WrittenAnswers | null {
  return inputs.length === 0 && (actions.includes('answer') || actions.includes('handOn')) ? writtenAnswers[kind] : null;
}

function askingAgain({ actions }: Question, text: string): QuestionAnswer | 'telegram.decideInArtel' {
  return actions.includes('askAgain') ? { action: 'askAgain', text } : 'telegram.decideInArtel';
}
