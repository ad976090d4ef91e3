import type { TFunction } from 'i18next';
import type { FC } from 'react';
import type { AnswerAction, Question, QuestionDetails, QuestionKind } from '../../../../contract/executions/question.ts';
import { callSubject } from '../../../model/run/call-subject.ts';
import { excerpt } from '../markdown/excerpt.ts';
import { BudgetFields } from './budget-fields.tsx';
import { CallFields } from './call-fields.tsx';
import { InstallFields } from './install-fields.tsx';
import type { QuestionDraft } from './question-draft.ts';
import type { QuestionAnswering, WaysToAnswer } from './use-question-answer.ts';

type FieldsProps = { question: QuestionDetails; answering: QuestionAnswering; readOnly: boolean };
type Words = (action: AnswerAction, t: TFunction<'questions'>) => string | null;

/** How the page shows a kind of question, and takes its answer. `server/modules/executions/store/question-kinds.ts` says what it is. */
type ViewOfKind = {
  /** What a line of the list says of it; empty where its reason says it all. */
  about: (question: Question) => string;
  /** What more it asks, with the fields for that. */
  Fields: FC<FieldsProps> | null;
  /** What the keys send: the same as the main button. */
  main: (ways: WaysToAnswer, question: QuestionDetails, draft: QuestionDraft) => void;
  /** A button that has another name here. */
  button: Words;
  /** What was done, where it has another name here. */
  did: Words;
};

const usual: Pick<ViewOfKind, 'about' | 'button' | 'did'> = { about: ({ text }) => excerpt(text), button: () => null, did: () => null };
const decideFirst: ViewOfKind['main'] = ({ decide }, { actions }) => decide(actions[0] ?? 'stop');
const answerOrHandOn: ViewOfKind['main'] = ({ answerWith, handOn }, { actions, buttons }) =>
  actions.includes('answer') ? answerWith(buttons[0]) : handOn();

export const questionKinds: Record<QuestionKind, ViewOfKind> = {
  hand_off: { ...usual, Fields: null, main: answerOrHandOn },
  person: { ...usual, Fields: null, main: answerOrHandOn },
  tool: {
    ...usual,
    about: ({ call, text }) => (call ? [call.tool, callSubject(call.args)].filter((part) => part !== '').join(': ') : excerpt(text)),
    Fields: (props) => <AskedCall {...props} isCarriedOut />,
    main: decideFirst,
  },
  unknown_outcome: { ...usual, Fields: (props) => <AskedCall {...props} isCarriedOut={false} />, main: decideFirst },
  budget: {
    ...usual,
    Fields: AskedBudget,
    main: ({ setLimit, send }, { actions }, { text }) => (text.trim() === '' ? void send({ action: actions[0] ?? 'endHere' }) : setLimit()),
  },
  room: {
    ...usual,
    Fields: null,
    main: ({ send, handOn }, { actions }, { isEditing }) => (isEditing ? handOn() : void send({ action: actions[0] ?? 'handOn' })),
  },
  install: {
    about: ({ install }) => (install?.hosts ?? []).map(({ host }) => host).join(', '),
    Fields: ({ question: { install } }) => install && <InstallFields needs={install} />,
    main: decideFirst,
    button: (action, t) => (action === 'approve' ? t('allowOnce') : action === 'refuse' ? t('goWithout') : null),
    did: (action, t) => (action === 'approve' || action === 'refuse' ? t(`didInstall.${action}`) : null),
  },
};

function AskedBudget({ question: { budget }, answering: { draft, changeDraft, sending, changeSending }, readOnly }: FieldsProps) {
  if (!budget) return null;
  return (
    <BudgetFields
      {...{ limit: budget, figure: draft.text, isWrong: sending.isFigureWrong, readOnly }}
      onFigure={(next) => {
        changeDraft({ text: next });
        changeSending({ isFigureWrong: false });
      }}
    />
  );
}

function AskedCall({ question: { projectId, call }, answering, readOnly, isCarriedOut }: FieldsProps & { isCarriedOut: boolean }) {
  const { args, draft, changeDraft, isBroken } = answering;
  if (!call) return null;
  return (
    <CallFields
      {...{ projectId, call, isCarriedOut, args, text: draft.text, isBroken, readOnly }}
      onArgs={(next) => changeDraft({ args: next })}
      onText={(next) => changeDraft({ text: next })}
    />
  );
}
