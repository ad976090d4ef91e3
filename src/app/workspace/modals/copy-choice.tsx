import { useState } from 'react';
import type { Problem } from '../../../model/problem.ts';
import { Button } from '../../../ui/controls/buttons/button.tsx';
import { useProblemText } from '../../../ui/i18n/use-problem-text.ts';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import { CopyPlus } from '../../../ui/icons/icons.ts';
import { useDispatch } from '../../../workers/bridge/use-workspace.ts';
import { usePlace } from '../sidebar/use-place.ts';
import styles from './plan-modal.module.css';

/** The first choice where every agent of a role is on the canvas: a copy of it, which is placed at once. */
export function CopyChoice({ agentId, title, onCopied }: { agentId: string; title: string; onCopied: () => void }) {
  const { t } = useTranslation('modals');
  const problemText = useProblemText();
  const dispatch = useDispatch();
  const place = usePlace();
  const [isBusy, setIsBusy] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);
  const copy = async () => {
    setIsBusy(true);
    const copied = await dispatch({ type: 'agent.duplicate', agentId });
    setIsBusy(false);
    if (!copied.ok) setProblem(copied.error);
    else {
      onCopied();
      if (copied.value?.agentId) place({ kind: 'agent', agentId: copied.value.agentId });
    }
  };
  return (
    <div className={styles.copy}>
      <p>{t('buyAgent.copyText', { title })}</p>
      <Button variant="primary" icon={<CopyPlus size={15} aria-hidden />} busy={isBusy} onClick={() => void copy()}>
        {t('buyAgent.copy')}
      </Button>
      {problem && <p role="alert">{problemText(problem)}</p>}
    </div>
  );
}
