import { useState } from 'react';
import type { PromptChange } from '../../../../contract/agent-change.ts';
import { Button } from '../../../ui/controls/buttons/button.tsx';
import { ProblemNote } from '../../../ui/controls/problem-note.tsx';
import { Spinner } from '../../../ui/controls/spinner.tsx';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import { MessageSquare } from '../../../ui/icons/icons.ts';
import { useRead } from '../../server-data/use-read.ts';
import { usePanels } from '../frame/panels.tsx';
import { useVersionWords } from './use-version-words.ts';
import styles from './versions.module.css';
import { Words } from './words.tsx';

/** A change of a prompt: whose, when and by whom. Pressing it shows the words that differ. */
export function PromptRow({ change }: { change: PromptChange }) {
  const { t } = useTranslation('versions');
  const { show } = usePanels();
  const { timeOf } = useVersionWords();
  /** Null until it is pressed. */
  const [isOpen, setOpen] = useState<boolean | null>(null);
  const { agentId, title, number, author, cause, at, lengthBefore, lengthAfter } = change;
  const input = isOpen === null ? null : { params: { id: agentId }, query: { before: number + 1, limit: 1 } };
  const { value, problem, again } = useRead('agent.changes', input);
  const texts = value?.items[0];
  const toggle = () => {
    setOpen(!isOpen);
    if (!isOpen && problem) again();
  };
  return (
    <li className={styles.item} data-testid="prompt-row" data-agent={agentId}>
      <button type="button" className={styles.face} aria-expanded={isOpen === true} onClick={toggle}>
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
          <ProblemNote problem={problem} className={styles.refused} />
          <Button size="s" onClick={() => show({ settingsAgentId: agentId })}>
            {t('openAgent')}
          </Button>
        </div>
      )}
    </li>
  );
}
