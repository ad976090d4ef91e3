import { type ReactNode, useCallback, useEffect, useRef, useState } from 'react';
import { Link } from 'react-router-dom';
import type { GivenAnswer, LinkedQuestion, QuestionAnswer } from '../../../contract/executions/question.ts';
import { Button } from '../../ui/controls/buttons/button.tsx';
import { Facts } from '../../ui/controls/facts.tsx';
import { Spinner } from '../../ui/controls/spinner.tsx';
import { useMomentText } from '../../ui/i18n/use-moment-text.ts';
import { useTranslation } from '../../ui/i18n/use-translation.ts';
import { ChevronRight, CircleCheck, CircleQuestionMark, FlaskRound, RotateCcw } from '../../ui/icons/icons.ts';
import { LanguageSwitch } from '../../ui/language-switch.tsx';
import { Logo } from '../../ui/logo.tsx';
import { ThemeToggle } from '../../ui/theme-toggle.tsx';
import { usePageTitle } from '../../ui/use-page-title.ts';
import { LazyMarkdown } from '../workspace/markdown/lazy-markdown.tsx';
import { draftAsText, valuesOfAnswer } from './answer-draft.ts';
import { QuestionForm } from './question-form.tsx';
import styles from './question-link.module.css';
import { answerLinkedQuestion, type LinkFailure, readLinkedQuestion, type SendFailure } from './question-link-calls.ts';
import { forgetDraft, useAnswerDraft } from './use-answer-draft.ts';

/** The longest result before a question that is shown open (characters). */
const shownOpen = 4_000;

type View =
  | { kind: 'loading' | 'sent' | 'gone' | 'answered' | 'maybeSent' | 'withdrawn' | 'expired' }
  | { kind: 'failed'; code: 'unsent' | 'tooMany' | 'server' }
  | { kind: 'asked' };

/** The page of a signed link: one question, answered once, without an account. G2.04 */
export function QuestionLinkPage({ token }: { token: string }) {
  const { t } = useTranslation('question-link');
  const { view, question, given, failure, isSending, read, send } = useLinkedQuestion(token);
  const [draft, update] = useAnswerDraft(token);
  const title = useRef<HTMLHeadingElement>(null);
  const isEnd = view.kind !== 'loading' && view.kind !== 'asked';
  usePageTitle(view.kind === 'asked' && question ? question.title : t('title'));
  // The focused form has been removed: screen readers read out its replacement.
  useEffect(() => {
    if (isEnd) title.current?.focus();
  }, [isEnd]);

  if (view.kind === 'loading') {
    return (
      <Frame>
        <p className={styles.loading} role="status">
          <Spinner size={20} />
          {t('loading')}
        </p>
      </Frame>
    );
  }
  if (view.kind === 'asked' && question) {
    return (
      <Frame>
        <QuestionForm
          question={question}
          draft={draft}
          update={update}
          failure={failure}
          isSending={isSending}
          onSend={(answer) => void send(answer)}
        >
          <Asked question={question} />
        </QuestionForm>
      </Frame>
    );
  }
  const answer = given ?? question?.answer ?? null;
  const kept = question && view.kind !== 'sent' && !isSameText(draft.text, answer) ? draftAsText(question, draft) : '';
  return (
    <Frame>
      <div className={styles.end} data-good={view.kind === 'sent' || undefined}>
        {view.kind === 'sent' ? <CircleCheck size={28} aria-hidden /> : <CircleQuestionMark size={28} aria-hidden />}
        <h1 ref={title} tabIndex={-1} className={styles.title}>
          {t(`end.${view.kind}.title` as 'end.sent.title')}
        </h1>
        <p className={styles.lead}>{view.kind === 'failed' ? t(`failure.${view.code}`) : t(`end.${view.kind}.text` as 'end.sent.text')}</p>
        {question && <From from={question.from} namesAccount />}
        {view.kind === 'failed' && (
          <Button variant="primary" size="xl" icon={<RotateCcw size={17} aria-hidden />} onClick={read}>
            {t('retry')}
          </Button>
        )}
      </div>
      {question && answer && <Given question={question} answer={answer} />}
      {kept !== '' && <Kept text={kept} />}
    </Frame>
  );
}

function Asked({ question }: { question: LinkedQuestion }) {
  const { t } = useTranslation('question-link');
  const { title, text, reason, before, dueAt, simulated, from } = question;
  const due = useMomentText('minute', 'long')(dueAt);
  return (
    <>
      <p className={styles.kicker}>{t('asks', { name: from.account })}</p>
      <h1 className={styles.title}>{title}</h1>
      <From from={from} />
      <p className={styles.due}>
        {t('due')} <time dateTime={dueAt}>{due}</time>
      </p>
      {simulated && (
        <p className={styles.note}>
          <FlaskRound size={17} aria-hidden />
          {t('simulated')}
        </p>
      )}
      <div className={styles.question}>{text.trim() === '' ? <p>{t(`reason.${reason}`)}</p> : <LazyMarkdown text={text} below={1} />}</div>
      {before.length > 0 && (
        <section className={styles.before}>
          <h2>{t('before')}</h2>
          {before.map((result, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the results never change their order
            <details key={at} open={at === before.length - 1 && result.text.length <= shownOpen}>
              <summary>
                <ChevronRight size={16} className={styles.arrow} aria-hidden />
                {result.title}
                {result.round !== undefined && <span className={styles.round}>{t('words:round', { round: result.round })}</span>}
              </summary>
              <div className={styles.result}>
                <LazyMarkdown text={result.text} />
              </div>
            </details>
          ))}
        </section>
      )}
    </>
  );
}

/** Which work the question belongs to: the project, and the task of the run. `namesAccount`: where no line above says who asks. */
function From({ from: { account, project, task }, namesAccount = false }: Pick<LinkedQuestion, 'from'> & { namesAccount?: boolean }) {
  const { t } = useTranslation('question-link');
  return (
    <p className={styles.from}>
      {namesAccount && (
        <>
          <b>{account}</b> ·{' '}
        </>
      )}
      {t('words:project')} <b>{project}</b> · {t('run')} <b>{task}</b>
    </p>
  );
}

/** What was answered. */
function Given({ question, answer }: { question: LinkedQuestion; answer: GivenAnswer }) {
  const { t } = useTranslation('question-link');
  return (
    <section className={styles.given}>
      <h2>{t('given')}</h2>
      {answer.action === 'handOn' && answer.text === undefined && <p>{t('handedOn')}</p>}
      {answer.label !== undefined && (
        <p>
          <strong>{answer.label ?? t('otherwise')}</strong>
        </p>
      )}
      <Facts facts={valuesOfAnswer(question, answer).map(({ label, value }) => [label, value])} />
      {answer.text && <LazyMarkdown text={answer.text} />}
    </section>
  );
}

/** Whether a draft is the answer that was given: its response was lost, and it must not be called unsent. */
function isSameText(text: string | null, answer: GivenAnswer | null): boolean {
  return answer?.text !== undefined && text?.trim() === answer.text.trim();
}

/** The text that could not be sent, for copying. */
function Kept({ text }: { text: string }) {
  const { t } = useTranslation('question-link');
  const [isCopied, setIsCopied] = useState(false);
  const area = useRef<HTMLTextAreaElement>(null);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setIsCopied(true);
    } catch {
      // Without a clipboard, on an insecure address, the selected text is copied by key.
      area.current?.select();
    }
  };
  return (
    <section className={styles.kept}>
      <h2 id="kept">{t('kept')}</h2>
      <textarea ref={area} aria-labelledby="kept" readOnly rows={6} value={text} />
      <Button size="l" onClick={() => void copy()}>
        {t(isCopied ? 'common:copied' : 'words:copy')}
      </Button>
    </section>
  );
}

function Frame({ children }: { children: ReactNode }) {
  const { t } = useTranslation('common');
  return (
    <div className={styles.page}>
      <header className={styles.header}>
        <Link to="/" className={styles.brand}>
          <Logo size={28} />
          {t('product')}
        </Link>
        <LanguageSwitch />
        <ThemeToggle size={36} />
      </header>
      <main className={styles.main}>{children}</main>
    </div>
  );
}

/** Reads the question and sends the answer. */
function useLinkedQuestion(token: string) {
  const { language } = useTranslation('common');
  const [view, setView] = useState<View>({ kind: 'loading' });
  const [question, setQuestion] = useState<LinkedQuestion | null>(null);
  const [given, setGiven] = useState<GivenAnswer | null>(null);
  const [failure, setFailure] = useState<SendFailure | null>(null);
  const [isSending, setIsSending] = useState(false);
  /** Whether an answer was sent whose response did not arrive. */
  const isUncertain = useRef(false);
  const spoken = useRef(language);
  spoken.current = language;

  const load = useCallback(async (): Promise<void> => {
    setView({ kind: 'loading' });
    const found = await readLinkedQuestion({ token, language: spoken.current });
    if (!found.ok) {
      setView(viewOf(found.failure));
      return;
    }
    setQuestion(found.value);
    setView({ kind: found.value.state === 'open' ? 'asked' : 'answered' });
  }, [token]);
  useEffect(() => void load(), [load]);

  const send = async (answer: QuestionAnswer): Promise<void> => {
    setIsSending(true);
    setFailure(null);
    const sent = await answerLinkedQuestion({ token, language }, answer);
    setIsSending(false);
    if (sent.ok) {
      forgetDraft(token);
      setGiven(answer);
      setView({ kind: 'sent' });
      return;
    }
    const { failure: why } = sent;
    switch (why.kind) {
      case 'gone':
      case 'answered':
      case 'withdrawn':
      case 'expired':
        setView({ kind: why.kind === 'answered' && isUncertain.current ? 'maybeSent' : why.kind });
        return;
      case 'unsent':
        isUncertain.current = true;
        setFailure(why);
        return;
      default:
        setFailure(why);
    }
  };
  return { view, question, given, failure, isSending, read: () => void load(), send };
}

function viewOf({ kind }: LinkFailure): View {
  switch (kind) {
    case 'gone':
    case 'answered':
    case 'withdrawn':
    case 'expired':
      return { kind };
    case 'invalid':
      return { kind: 'failed', code: 'server' };
    default:
      return { kind: 'failed', code: kind };
  }
}
