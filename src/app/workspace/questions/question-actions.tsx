import { useRef } from 'react';
import { flushSync } from 'react-dom';
import type { QuestionDetails } from '../../../../contract/executions/question.ts';
import { Button } from '../../../ui/controls/buttons/button.tsx';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import { questionKinds } from './question-kinds.tsx';
import styles from './questions.module.css';
import type { QuestionAnswering } from './use-question-answer.ts';

/** What can be done with a call of a tool, and with hosts of an install step, in the order of the buttons: the main one last. */
const callActions = ['refuse', 'enterResult', 'skipCall', 'repeat', 'approveInRun', 'approve'] as const;

/** The same of a budget, and of the turns of a step. */
const budgetActions = ['endHere', 'newLimit', 'asMuchAgain', 'goOn'] as const;

/** The buttons that answer a question, the main one last. */
export function QuestionActions({ question, answering }: { question: QuestionDetails; answering: QuestionAnswering }) {
  const { t } = useTranslation('questions');
  const askAgainButton = useRef<HTMLButtonElement>(null);
  const { draft, sending, changeSending, isEdited, isBroken, isBusy, send, pressed, askAgain, answerWith, decide, setLimit, handOn } =
    answering;
  const { buttons, actions, reason, call, room } = question;
  const callLabel = (action: (typeof callActions)[number]) => {
    const named = questionKinds[question.kind].button(action, t);
    if (named !== null) return named;
    if (action === 'approve' && isEdited) return t('approveEdited');
    return action === 'approveInRun' && call?.host !== undefined ? t('approveHostInRun', { host: call.host }) : t(action);
  };

  return (
    <div className={styles.actions}>
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
      {actions.includes('askAgain') && !sending.isNoting && (
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
          {actions.includes('anotherRound') && (
            <Button {...pressed('anotherRound')} onClick={() => void send({ action: 'anotherRound' })}>
              {t('anotherRound')}
            </Button>
          )}
          {actions.includes('handOn') && (
            <Button variant={actions[0] === 'handOn' ? 'primary' : 'secondary'} {...pressed('handOn')} onClick={handOn}>
              {t(draft.isEditing ? 'handOnEdited' : reason === 'limit' || room ? 'handOnAnyway' : 'words:handOn')}
            </Button>
          )}
          {budgetActions.map(
            (action) =>
              actions.includes(action) && (
                <Button
                  key={action}
                  variant={action === actions[0] ? 'primary' : 'secondary'}
                  {...pressed(action, action === 'newLimit' && draft.text.trim() === '')}
                  onClick={action === 'newLimit' ? setLimit : () => void send({ action })}
                >
                  {t(action)}
                </Button>
              ),
          )}
          {callActions.map(
            (action) =>
              actions.includes(action) && (
                <Button
                  key={action}
                  variant={action === 'approve' ? 'primary' : 'secondary'}
                  {...pressed(action, (action.startsWith('approve') && isBroken) || (action === 'enterResult' && draft.text.trim() === ''))}
                  onClick={() => decide(action)}
                >
                  {callLabel(action)}
                </Button>
              ),
          )}
          {actions.includes('answer') &&
            (buttons.length > 0 ? (
              buttons.map((label, at) => (
                <Button
                  key={label ?? ''}
                  variant={at === 0 ? 'primary' : 'secondary'}
                  busy={isBusy && sending.label === label}
                  disabled={isBusy && sending.label !== label}
                  onClick={() => answerWith(label)}
                >
                  {label ?? t('otherwise')}
                </Button>
              ))
            ) : (
              <Button variant="primary" busy={isBusy} onClick={() => answerWith(undefined)}>
                {t('words:sendAnswer')}
              </Button>
            ))}
        </>
      )}
    </div>
  );
}
