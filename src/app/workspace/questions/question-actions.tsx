import { useRef } from 'react';
import { flushSync } from 'react-dom';
import type { AnswerAction, QuestionDetails } from '../../../../contract/executions/question.ts';
import { Button } from '../../../ui/controls/buttons/button.tsx';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import { questionKinds } from './question-kinds.tsx';
import styles from './questions.module.css';
import type { QuestionAnswering } from './use-question-answer.ts';

/** What can be done with a result, a budget, the turns of a step, a call of a tool, and hosts of an install step: the main one last. */
const mainActions = [
  'anotherRound',
  'handOn',
  'endHere',
  'newLimit',
  'asMuchAgain',
  'goOn',
  'refuse',
  'enterResult',
  'skipCall',
  'repeat',
  'approveInRun',
  'approve',
] as const;

type Props = { question: QuestionDetails; answering: QuestionAnswering };

/** The buttons that answer a question, the main one last. */
export function QuestionActions(props: Props) {
  const { t } = useTranslation('questions');
  const askAgainButton = useRef<HTMLButtonElement>(null);
  const { sending, changeSending, isBusy, askAgain } = props.answering;
  return (
    <div className={styles.actions}>
      <EndingActions {...props} />
      {props.question.actions.includes('askAgain') && !sending.isNoting && (
        <Button ref={askAgainButton} disabled={isBusy} onClick={() => changeSending({ isNoting: true })}>
          {t('askAgain')}
        </Button>
      )}
      {sending.isNoting ? (
        <>
          <Button
            disabled={isBusy}
            onClick={() => {
              flushSync(() => changeSending({ isNoting: false }));
              askAgainButton.current?.focus();
            }}
          >
            {t('backToResult')}
          </Button>
          <Button variant="primary" busy={isBusy} onClick={askAgain}>
            {t('sendNote')}
          </Button>
        </>
      ) : (
        <>
          <MainActions {...props} />
          <AnswerActions {...props} />
        </>
      )}
    </div>
  );
}

/** At the left: goes on without an answer, or ends the run. */
function EndingActions({ question: { actions, reason }, answering: { sending, changeSending, pressed, send } }: Props) {
  const { t } = useTranslation('questions');
  return (
    <span className={styles.left}>
      {actions.includes('skip') && (
        <Button variant="ghost" {...pressed('skip')} onClick={() => void send({ action: 'skip' })}>
          {t(reason === 'card' ? 'skipCard' : 'skip')}
        </Button>
      )}
      {actions.includes('stop') && (
        <Button
          variant={sending.isStopping ? 'danger' : 'ghost'}
          {...pressed('stop')}
          onClick={() => (sending.isStopping ? void send({ action: 'stop' }) : changeSending({ isStopping: true }))}
        >
          {t(sending.isStopping ? 'stopSurely' : 'stop')}
        </Button>
      )}
    </span>
  );
}

function MainActions({ question: { kind, actions, reason, room, call }, answering }: Props) {
  const { t } = useTranslation('questions');
  const { draft, isEdited, isBroken, pressed, handOn, setLimit, decide } = answering;
  // A call that may have been carried out already has no main button.
  const main = kind === 'unknown_outcome' ? null : actions[0];
  const lacksText = draft.text.trim() === '';
  const isOff: Partial<Record<AnswerAction, boolean>> = {
    newLimit: lacksText,
    enterResult: lacksText,
    approve: isBroken,
    approveInRun: isBroken,
  };
  const label = (action: (typeof mainActions)[number]) => {
    const named = questionKinds[kind].button(action, t);
    if (named !== null) return named;
    if (action === 'handOn') return t(draft.isEditing ? 'handOnEdited' : reason === 'limit' || room ? 'handOnAnyway' : 'words:handOn');
    if (action === 'approve' && isEdited) return t('approveEdited');
    return action === 'approveInRun' && call?.host !== undefined ? t('approveHostInRun', { host: call.host }) : t(action);
  };
  return mainActions
    .filter((action) => actions.includes(action))
    .map((action) => (
      <Button
        key={action}
        variant={action === main ? 'primary' : 'secondary'}
        {...pressed(action, isOff[action])}
        onClick={action === 'handOn' ? handOn : action === 'newLimit' ? setLimit : () => decide(action)}
      >
        {label(action)}
      </Button>
    ));
}

/** Sends the answer: by one of the question's own buttons, if it has some. */
function AnswerActions({ question: { actions, buttons }, answering: { sending, isBusy, answerWith } }: Props) {
  const { t } = useTranslation('questions');
  if (!actions.includes('answer')) return null;
  if (buttons.length === 0) {
    return (
      <Button variant="primary" busy={isBusy} onClick={() => answerWith(undefined)}>
        {t('words:sendAnswer')}
      </Button>
    );
  }
  return buttons.map((label, at) => (
    <Button
      key={label ?? ''}
      variant={at === 0 ? 'primary' : 'secondary'}
      busy={isBusy && sending.label === label}
      disabled={isBusy && sending.label !== label}
      onClick={() => answerWith(label)}
    >
      {label ?? t('otherwise')}
    </Button>
  ));
}
