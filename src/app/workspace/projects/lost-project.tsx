import { useState } from 'react';
import type { Problem } from '../../../model/problem.ts';
import { Button } from '../../../ui/controls/buttons/button.tsx';
import { useProblemText } from '../../../ui/i18n/use-problem-text.ts';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import { CopyPlus } from '../../../ui/icons/icons.ts';
import { useDispatch, useWorkspace } from '../../../workers/bridge/use-workspace.ts';
import styles from './lost-project.module.css';
import { ProjectList } from './project-list.tsx';
import projects from './projects.module.css';

/** What a user can do when the page's project was removed: save its canvas as a new project, or open another one. */
export function LostProject({ gone, onOpen }: { gone: boolean; onOpen: (id: string) => void }) {
  const { t } = useTranslation('projects');
  const problemText = useProblemText();
  const dispatch = useDispatch();
  const name = useWorkspace((state) => state.project?.name ?? '');
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);

  const keep = async () => {
    setBusy(true);
    setProblem(null);
    const outcome = await dispatch({ type: 'project.keepCanvas', name: t('gone.keptName', { name }) });
    setBusy(false);
    if (!outcome.ok) setProblem(outcome.error);
    else if (outcome.value?.projectId) onOpen(outcome.value.projectId);
  };

  return (
    <div className={styles.ways}>
      {gone && (
        <Button variant="primary" size="m" wide busy={busy} icon={<CopyPlus size={16} aria-hidden />} onClick={() => void keep()}>
          {t('gone.keep')}
        </Button>
      )}
      {problem && (
        <p className={projects.refused} role="alert">
          {problemText(problem)}
        </p>
      )}
      <div className={styles.list}>
        <ProjectList onOpen={onOpen} />
      </div>
    </div>
  );
}
