import { useCallback, useEffect, useState } from 'react';
import type { AgentChange, AgentChangePage } from '../../../../contract/agent-change.ts';
import type { Problem } from '../../../model/problem.ts';
import { Button } from '../../../ui/controls/buttons/button.tsx';
import { Spinner } from '../../../ui/controls/spinner.tsx';
import { useProblemText } from '../../../ui/i18n/use-problem-text.ts';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import { RotateCcw } from '../../../ui/icons/icons.ts';
import { LoadProblem } from '../../../ui/loading/remote-state.tsx';
import { useCall } from '../../../workers/bridge/use-workspace.ts';
import { useVersionWords } from '../versions/use-version-words.ts';
import { Words } from '../versions/words.tsx';
import styles from './prompt-history.module.css';

type PromptHistoryProps = { agentId: string; readOnly: boolean; onRestore: (systemPrompt: string) => void };
type Loaded = { items: readonly AgentChange[]; next: number | null };

/** The changes of an agent's prompt, newest first, with the words that differ. A restored text goes into the form, and is saved with it. */
export function PromptHistory({ agentId, readOnly, onRestore }: PromptHistoryProps) {
  const { t } = useTranslation('versions');
  const problemText = useProblemText();
  const call = useCall();
  const { dayOf, timeOf } = useVersionWords();
  const [{ items, next }, setLoaded] = useState<Loaded>({ items: [], next: null });
  const [problem, setProblem] = useState<Problem | null>(null);
  const [loading, setLoading] = useState(true);
  const load = useCallback(
    async (before: number | null) => {
      setLoading(true);
      const answer = await call('agent.changes', { params: { id: agentId }, query: before === null ? {} : { before } });
      setLoading(false);
      setProblem(answer.ok ? null : answer.error);
      if (answer.ok) setLoaded((known) => joined(known, answer.value, before));
    },
    [call, agentId],
  );
  useEffect(() => void load(null), [load]);
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
      {problem && <LoadProblem text={problemText(problem)} retry={t('words:retry')} busy={loading} onRetry={() => void load(null)} />}
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
        <Button wide busy={loading} onClick={() => void load(next)}>
          {t('more')}
        </Button>
      )}
    </section>
  );
}

function joined(known: Loaded, { items, next }: AgentChangePage, before: number | null): Loaded {
  return { items: before === null ? items : [...known.items, ...items], next };
}
