import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import type { Updater } from 'use-immer';
import { answerTextMaxLength, type LinkedQuestion, type QuestionAnswer } from '../../../contract/executions/question.ts';
import { Button } from '../../ui/controls/buttons/button.tsx';
import { TextArea } from '../../ui/controls/fields/text-area.tsx';
import { focusFirstWrong } from '../../ui/focus-first-wrong.ts';
import { useTranslation } from '../../ui/i18n/use-translation.ts';
import { Check, Eye, PencilLine, Redo2, Undo2 } from '../../ui/icons/icons.ts';
import { isSendKey } from '../../ui/typed-keys.ts';
import { AnswerFields } from '../answers/answer-field.tsx';
import { confirmedVersions } from '../answers/confirmed-versions.ts';
import type { InputProblems } from '../answers/input-values.ts';
import { LazyMarkdown } from '../workspace/markdown/lazy-markdown.tsx';
import { type AnswerDraft, answerOf } from './answer-draft.ts';
import { handsOnDraft } from './hands-on-draft.ts';
import styles from './question-link.module.css';
import type { SendFailure } from './question-link-calls.ts';

type Props = {
  question: LinkedQuestion;
  draft: AnswerDraft;
  update: Updater<AnswerDraft>;
  failure: SendFailure | null;
  isSending: boolean;
  onSend: (answer: QuestionAnswer) => void;
  /** What is asked, above the inputs. */
  children: ReactNode;
};

/** The inputs and buttons of a question. Ctrl+Enter or Cmd+Enter sends where there is one button. */
export function QuestionForm({ question, draft, update, failure, isSending, onSend, children }: Props) {
  const { t } = useTranslation('question-link');
  const { t: answersText } = useTranslation('answers');
  const form = useRef<HTMLFormElement>(null);
  const [problems, setProblems] = useState<InputProblems>({});
  const [pressed, setPressed] = useState<string | null>(null);
  const [isEditing, setIsEditing] = useState(draft.text !== null);
  const { kind, inputs, buttons } = question;
  const isHandOff = handsOnDraft[kind];
  const fields = failure?.kind === 'invalid' ? failure.fields : [];

  useEffect(() => {
    if (failure?.kind === 'invalid') focusFirstWrong(form.current);
  }, [failure]);

  const send = (button?: string | null) => {
    if (isSending) return;
    const made = answerOf(question, draft, button);
    flushSync(() => {
      setProblems(made.ok ? {} : made.problems);
      if (!made.ok && isHandOff) setIsEditing(true);
      setPressed(button ?? null);
    });
    if (made.ok) onSend({ ...made.answer, ...confirmedVersions(fields.map(({ path }) => path)) });
    else focusFirstWrong(form.current);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (buttons.length === 0) send();
    else if (buttons.length === 1) send(buttons[0]);
  };
  const errorAt = (id: string) => {
    const code = problems[id];
    if (code) return answersText(`problem.${code}`);
    return fields.find(({ path }) => path === (id === 'text' ? 'text' : `values.${id}`))?.message;
  };

  const setText = (text: string | null) =>
    update((one) => {
      one.text = text;
    });
  const clearProblem = (id: string) => setProblems(({ [id]: _, ...others }) => others);
  const typed = {
    error: errorAt('text'),
    onType(text: string) {
      clearProblem('text');
      setText(text);
    },
  };
  return (
    <form
      ref={form}
      className={styles.whole}
      noValidate
      onSubmit={submit}
      onKeyDown={(event) => {
        if (isSendKey(event)) form.current?.requestSubmit();
      }}
    >
      {children}
      <div className={styles.form}>
        {question.draft !== null && (
          <DraftResult
            original={question.draft}
            text={draft.text}
            isHandOff={isHandOff}
            isEditing={isEditing}
            typed={typed}
            onText={setText}
            onToggle={() => setIsEditing(!isEditing)}
          />
        )}
        <AnswerFields isLarge inputs={inputs} draft={draft} update={update} errorOf={errorAt} onEdit={clearProblem} />
        {!isHandOff && question.reason === 'card' && (
          <AnswerText
            label={t(inputs.length + buttons.length === 0 ? 'words:yourAnswer' : 'comment')}
            rows={4}
            value={draft.text ?? ''}
            {...typed}
          />
        )}
        <p className={styles.failure} role="alert" hidden={failure === null}>
          {failure?.kind === 'invalid' ? failure.message : failure && t(`failure.${failure.kind}`)}
        </p>
      </div>
      <SendButtons buttons={buttons} isHandOff={isHandOff} isSending={isSending} pressed={pressed} onSend={send} />
      <p className={styles.once}>{t('once')}</p>
    </form>
  );
}

type Typed = { error: string | undefined; onType: (text: string) => void };

type DraftResultProps = {
  original: string;
  /** The edited result; null while it is not edited. */
  text: string | null;
  isHandOff: boolean;
  isEditing: boolean;
  typed: Typed;
  onText: (text: string | null) => void;
  onToggle: () => void;
};

/** The agent's result, which a hand-off may edit. */
function DraftResult({ original, text, isHandOff, isEditing, typed, onText, onToggle }: DraftResultProps) {
  const { t } = useTranslation('question-link');
  /** The edited result after a return to the original. */
  const [formerEdits, setFormerEdits] = useState<string | null>(null);
  const restore = (restored: string | null) => {
    setFormerEdits(text);
    onText(restored);
  };
  const isEdited = text !== null && text !== original;
  return (
    <section className={styles.draft}>
      <h2>{t('draft')}</h2>
      {isHandOff && isEditing ? (
        <AnswerText label={t('edited')} rows={14} value={text ?? original} showsLength {...typed} />
      ) : (
        <div className={styles.box}>
          <LazyMarkdown text={(isHandOff && text) || original} />
        </div>
      )}
      {isHandOff && (
        <div className={styles.tools}>
          <Button size="l" icon={isEditing ? <Eye size={16} aria-hidden /> : <PencilLine size={16} aria-hidden />} onClick={onToggle}>
            {t(isEditing ? 'preview' : 'words:edit')}
          </Button>
          {isEdited && (
            <Button size="l" variant="ghost" icon={<Undo2 size={16} aria-hidden />} onClick={() => restore(null)}>
              {t('original')}
            </Button>
          )}
          {!isEdited && formerEdits !== null && (
            <Button size="l" variant="ghost" icon={<Redo2 size={16} aria-hidden />} onClick={() => restore(formerEdits)}>
              {t('myEdits')}
            </Button>
          )}
        </div>
      )}
    </section>
  );
}

type AnswerTextProps = Typed & { label: string; rows: number; value: string; showsLength?: boolean };

/** The text of an answer. A long one shows its length. */
function AnswerText({ label, rows, value, showsLength = false, error, onType }: AnswerTextProps) {
  const { t, language } = useTranslation('question-link');
  const number = new Intl.NumberFormat(language);
  const lengthNote = t('length', { count: number.format(value.length), max: number.format(answerTextMaxLength) });
  return (
    <TextArea
      label={label}
      className={styles.touch}
      grows
      rows={rows}
      value={value}
      error={error}
      aside={(showsLength || value.length > answerTextMaxLength / 2) && <span className={styles.optional}>{lengthNote}</span>}
      onChange={({ target }) => onType(target.value)}
    />
  );
}

type SendButtonsProps = {
  buttons: LinkedQuestion['buttons'];
  isHandOff: boolean;
  isSending: boolean;
  pressed: string | null;
  onSend: (button: string | null) => void;
};

function SendButtons({ buttons, isHandOff, isSending, pressed, onSend }: SendButtonsProps) {
  const { t } = useTranslation('question-link');
  return (
    <div className={styles.buttons}>
      {buttons.length === 0 ? (
        <Button type="submit" variant="primary" size="xxl" busy={isSending} icon={<Check size={17} aria-hidden />}>
          {t(isHandOff ? 'words:handOn' : 'words:sendAnswer')}
        </Button>
      ) : (
        buttons.map((button, at) => (
          <Button
            key={button ?? ''}
            type={buttons.length === 1 ? 'submit' : 'button'}
            variant={at === 0 ? 'primary' : 'secondary'}
            size="xxl"
            busy={isSending && pressed === button}
            onClick={buttons.length === 1 ? undefined : () => onSend(button)}
          >
            {button ?? t('otherwise')}
          </Button>
        ))
      )}
    </div>
  );
}
