import { useState } from 'react';
import type { AgentChange, PromptChange } from '../../../../contract/agent-change.ts';
import type { Problem } from '../../../model/problem.ts';
import { Button } from '../../../ui/controls/buttons/button.tsx';
import { Spinner } from '../../../ui/controls/spinner.tsx';
import { useProblemText } from '../../../ui/i18n/use-problem-text.ts';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import { MessageSquare } from '../../../ui/icons/icons.ts';
import { useCall } from '../../../workers/bridge/use-workspace.ts';
import { usePanels } from '../frame/panels.tsx';
import { useVersionWords } from './use-version-words.ts';
import styles from './versions.module.css';
import { Words } from './words.tsx';

/** A change of a prompt: whose, when and by whom. Pressing it shows the words that differ. */
export function PromptRow({ change }: { change: PromptChange }) {
  const { t } = useTranslation('versions');
  const problemText = useProblemText();
  const call = useCall();
  const { show } = usePanels();
  const { timeOf } = useVersionWords();
  const [isOpen, setOpen] = useState(false);
  const [texts, setTexts] = useState<AgentChange | null>(null);
  const [problem, setProblem] = useState<Problem | null>(null);
  const { agentId, title, number, author, cause, at, lengthBefore, lengthAfter } = change;
  const toggle = async () => {
    setOpen(!isOpen);
    if (isOpen || texts) return;
    const answer = await call('agent.changes', { params: { id: agentId }, query: { before: number + 1, limit: 1 } });
    setProblem(answer.ok ? null : answer.error);
    if (answer.ok) setTexts(answer.value.items[0] ?? null);
  };
  return (
    <li className={styles.item} data-testid="prompt-row" data-agent={agentId}>
      <button type="button" className={styles.face} aria-expanded={isOpen} onClick={() => void toggle()}>
        <strong className={styles.mark}>
          <MessageSquare size={14} aria-hidden />
          <span>{t('promptOf', { agent: title })}</span>
        </strong>
        <span className={styles.top}>
          <span className={styles.when}>{timeOf({ since: null, at })}</span>
          <span className={styles.author}>{author?.name}</span>
        </span>
        <span className={styles.what}>{t(`cause.${cause}`, { before: lengthBefore, after: lengthAfter })}</span>
      </button>
      {isOpen && (
        <div className={styles.promptWords}>
          {!texts && !problem && <Spinner size={14} />}
          {texts && <Words before={texts.before} after={texts.after} isShort />}
          {problem && (
            <p className={styles.refused} role="alert">
              {problemText(problem)}
            </p>
          )}
          <Button size="s" onClick={() => show({ settingsAgentId: agentId })}>
            {t('openAgent')}
          </Button>
        </div>
      )}
    </li>
  );
}
