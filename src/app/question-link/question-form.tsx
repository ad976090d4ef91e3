import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import type { Updater } from 'use-immer';
import { answerTextMaxLength, type LinkedQuestion, type QuestionAnswer } from '../../../contract/executions/question.ts';
import { Button } from '../../ui/controls/buttons/button.tsx';
import { TextArea } from '../../ui/controls/fields/text-area.tsx';
import { useTranslation } from '../../ui/i18n/use-translation.ts';
import { Check, Eye, PencilLine, Redo2, Undo2 } from '../../ui/icons/icons.ts';
import { isSendKey } from '../../ui/typed-keys.ts';
import { AnswerField } from '../answers/answer-field.tsx';
import { confirmedVersions } from '../answers/confirmed-versions.ts';
import type { InputProblems } from '../answers/input-values.ts';
import { LazyMarkdown } from '../workspace/markdown/lazy-markdown.tsx';
import { type AnswerDraft, answerOf } from './answer-draft.ts';
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
  const { t, language } = useTranslation('question-link');
  const { t: answersText } = useTranslation('answers');
  const form = useRef<HTMLFormElement>(null);
  const [problems, setProblems] = useState<InputProblems>({});
  const [pressed, setPressed] = useState<string | null>(null);
  const [isEditing, setIsEditing] = useState(draft.text !== null);
  /** The edited result after a return to the original. */
  const [formerEdits, setFormerEdits] = useState<string | null>(null);
  const { kind, inputs, buttons } = question;
  const isHandOff = kind === 'hand_off';
  const fields = failure?.kind === 'invalid' ? failure.fields : [];

  // The first wrong field gets the focus, which scrolls to it on a phone.
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
  const restore = (text: string | null) => {
    setFormerEdits(draft.text);
    setText(text);
  };
  const isEdited = draft.text !== null && draft.text !== question.draft;
  const count = (draft.text ?? question.draft ?? '').length;
  const number = new Intl.NumberFormat(language);
  const lengthNote = t('length', { count: number.format(count), max: number.format(answerTextMaxLength) });
  const textArea = (label: string, rows: number, value: string) => (
    <TextArea
      label={label}
      className={styles.touch}
      grows
      rows={rows}
      value={value}
      error={errorAt('text')}
      aside={(isHandOff || count > answerTextMaxLength / 2) && <span className={styles.optional}>{lengthNote}</span>}
      onChange={({ target }) => {
        clearProblem('text');
        setText(target.value);
      }}
    />
  );
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
          <section className={styles.draft}>
            <h2>{t('draft')}</h2>
            {isHandOff && isEditing ? (
              textArea(t('edited'), 14, draft.text ?? question.draft)
            ) : (
              <div className={styles.box}>
                <LazyMarkdown text={(isHandOff && draft.text) || question.draft} />
              </div>
            )}
            {isHandOff && (
              <div className={styles.tools}>
                <Button
                  size="l"
                  icon={isEditing ? <Eye size={16} aria-hidden /> : <PencilLine size={16} aria-hidden />}
                  onClick={() => setIsEditing(!isEditing)}
                >
                  {t(isEditing ? 'preview' : 'edit')}
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
        )}
        {inputs.map((input) => (
          <AnswerField
            key={input.id}
            isLarge
            input={input}
            value={draft.texts[input.id] ?? ''}
            file={draft.files[input.id]}
            error={errorAt(input.id)}
            onChange={(value) => {
              clearProblem(input.id);
              update((one) => {
                one.texts[input.id] = value;
              });
            }}
            onFile={(file) => {
              clearProblem(input.id);
              update((one) => {
                if (file) one.files[input.id] = file;
                else delete one.files[input.id];
              });
            }}
          />
        ))}
        {!isHandOff &&
          question.reason === 'card' &&
          textArea(t(inputs.length + buttons.length === 0 ? 'answer' : 'comment'), 4, draft.text ?? '')}
        <p className={styles.failure} role="alert" hidden={failure === null}>
          {failure?.kind === 'invalid' ? failure.message : failure && t(`failure.${failure.kind}`)}
        </p>
      </div>
      <div className={styles.buttons}>
        {buttons.length === 0 ? (
          <Button type="submit" variant="primary" size="xxl" busy={isSending} icon={<Check size={17} aria-hidden />}>
            {t(isHandOff ? 'handOn' : 'send')}
          </Button>
        ) : (
          buttons.map((button, at) => (
            <Button
              key={button ?? ''}
              type={buttons.length === 1 ? 'submit' : 'button'}
              variant={at === 0 ? 'primary' : 'secondary'}
              size="xxl"
              busy={isSending && pressed === button}
              onClick={buttons.length === 1 ? undefined : () => send(button)}
            >
              {button ?? t('otherwise')}
            </Button>
          ))
        )}
      </div>
      <p className={styles.once}>{t('once')}</p>
    </form>
  );
}

function focusFirstWrong(form: HTMLElement | null) {
  form?.querySelector<HTMLElement>('[aria-invalid]')?.focus();
}
