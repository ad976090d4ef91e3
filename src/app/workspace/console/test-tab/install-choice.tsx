import { useState } from 'react';
import { type InstallPolicy, installPolicies } from '../../../../../contract/runner.ts';
import type { Problem } from '../../../../model/problem.ts';
import { Select } from '../../../../ui/controls/fields/select.tsx';
import { useProblemText } from '../../../../ui/i18n/use-problem-text.ts';
import { useTranslation } from '../../../../ui/i18n/use-translation.ts';
import { useDispatch, useWorkspace } from '../../../../workers/bridge/use-workspace.ts';
import styles from './install-choice.module.css';

/** What the runner installs before the project's tests. A choice is stored at once. C5.09 */
export function InstallChoice({ id }: { id: string }) {
  const { t } = useTranslation('console');
  const dispatch = useDispatch();
  const problemText = useProblemText();
  const installs = useWorkspace(({ project }) => project?.installs ?? 'manifest');
  const [problem, setProblem] = useState<Problem | null>(null);
  const choose = async (next: InstallPolicy) => {
    const answer = await dispatch({ type: 'project.update', id, installs: next });
    setProblem(answer.ok ? null : answer.error);
  };
  return (
    <div className={styles.choice} data-testid="install-choice">
      <Select
        label={t('test.installs')}
        hint={t('test.installsHint')}
        value={installs}
        options={installPolicies.map((value) => ({ value, label: t(`test.installPolicies.${value}`) }))}
        {...(problem && { error: problemText(problem) })}
        onChange={(next) => void choose(next)}
      />
    </div>
  );
}
