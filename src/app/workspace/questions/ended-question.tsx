import type { QuestionDetails } from '../../../../contract/executions/question.ts';
import { TextArea } from '../../../ui/controls/fields/text-area.tsx';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import { LazyMarkdown } from '../markdown/lazy-markdown.tsx';
import { formatDate } from '../time/format-moment.ts';
import { readQuestionDraft } from './question-draft.ts';
import { questionKinds } from './question-kinds.tsx';
import styles from './questions.module.css';

/** A question that is not open any more: who answered it, and how. One's own text stays, to be copied. */
export function EndedQuestion({ question }: { question: QuestionDetails }) {
  const { t, language } = useTranslation('questions');
  const own = readQuestionDraft(question.id).text;
  const { kind, state, answer, answeredBy, answeredAt, draft, inputs } = question;
  const values = Object.entries(answer?.values ?? {});
  return (
    <div className={styles.form} data-testid="question-ended">
      <p role="status">
        <strong>
          {state === 'answered' && answeredBy
            ? t('answeredBy', { name: answeredBy, at: formatDate(answeredAt ?? '', language) })
            : t(`state.${state}`)}
        </strong>
      </p>
      {answer && (
        <p>
          {questionKinds[kind].did(answer.action, t) ?? t(`did.${answer.action}`)}
          {typeof answer.label === 'string' && `: ${answer.label}`}
        </p>
      )}
      {values.length > 0 && (
        <dl className={styles.values}>
          {values.map(([id, value]) => (
            <div key={id}>
              <dt>{inputs.find((input) => input.id === id)?.label ?? id}</dt>
              <dd>{typeof value === 'object' ? value.name : String(value)}</dd>
            </div>
          ))}
        </dl>
      )}
      {answer?.text && <LazyMarkdown text={answer.text} />}
      {draft !== null && draft !== answer?.text && (
        <details className={styles.before}>
          <summary>{t('draft')}</summary>
          <section>
            <LazyMarkdown text={draft} />
          </section>
        </details>
      )}
      {own !== '' && <TextArea label={t('ownText')} readOnly grows rows={6} value={own} />}
    </div>
  );
}
