import type { AgentChangePage } from '../../../../contract/agent-change.ts';
import { Button } from '../../../ui/controls/buttons/button.tsx';
import { Spinner } from '../../../ui/controls/spinner.tsx';
import { useProblemText } from '../../../ui/i18n/use-problem-text.ts';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import { RotateCcw } from '../../../ui/icons/icons.ts';
import { LoadProblem } from '../../../ui/loading/remote-state.tsx';
import { joinPages, usePages } from '../../server-data/use-pages.ts';
import { useVersionWords } from '../versions/use-version-words.ts';
import { Words } from '../versions/words.tsx';
import styles from './prompt-history.module.css';

type PromptHistoryProps = { agentId: string; readOnly: boolean; onRestore: (systemPrompt: string) => void };
const none: AgentChangePage = { items: [], next: null };

/** The changes of an agent's prompt, newest first, with the words that differ. A restored text goes into the form, and is saved with it. */
export function PromptHistory({ agentId, readOnly, onRestore }: PromptHistoryProps) {
  const { t } = useTranslation('versions');
  const problemText = useProblemText();
  const { dayOf, timeOf } = useVersionWords();
  const { value, problem, again, adding, more, ...read } = usePages('agent.changes', agentId, {
    page: (call, before: number | null) => call('agent.changes', { params: { id: agentId }, query: before === null ? {} : { before } }),
    join: joinPages<AgentChangePage>,
    keepsProblem: true,
  });
  const { items, next } = value ?? none;
  const loading = read.loading || adding !== null;
  const first = next === null ? items.at(-1) : undefined;
  const restore = (text: string, name: string) =>
    !readOnly && (
      <Button
        size="s"
        icon={<RotateCcw size={14} aria-hidden />}
        aria-label={t('restorePromptOf', { name })}
        onClick={() => onRestore(text)}
      >
        {t('restorePrompt')}
      </Button>
    );
  return (
    <section className={styles.history} aria-label={t('promptHistory')} data-testid="prompt-history">
      {problem && <LoadProblem text={problemText(problem)} retry={t('words:retry')} busy={loading} onRetry={again} />}
      {items.length === 0 && !problem && (
        <p className={styles.none} role="status">
          {loading ? <Spinner size={14} /> : t('noPromptChanges')}
        </p>
      )}
      <ol className={styles.list}>
        {items.map((change) => {
          const name = `${dayOf(change)}, ${timeOf({ since: null, at: change.at })}`;
          return (
            <li key={change.number} className={styles.change}>
              <p className={styles.head}>
                <strong>{name}</strong> <span>{change.author?.name}</span>
                {change.cause !== 'person' && <span>{t(`causeShort.${change.cause}`)}</span>}
                {restore(change.after, name)}
              </p>
              {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a long text is scrolled by keyboard */}
              <div className={styles.words} tabIndex={0}>
                <Words before={change.before} after={change.after} isShort />
              </div>
            </li>
          );
        })}
        {first && (
          <li className={styles.change}>
            <p className={styles.head}>
              <strong>{t('firstPrompt')}</strong>
              {restore(first.before, t('firstPrompt'))}
            </p>
          </li>
        )}
      </ol>
      {next !== null && (
        <Button wide busy={loading} onClick={() => more(next)}>
          {t('more')}
        </Button>
      )}
    </section>
  );
}
