import { Button } from '../../../ui/controls/buttons/button.tsx';
import { ProblemNote } from '../../../ui/controls/problem-note.tsx';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import { CopyPlus } from '../../../ui/icons/icons.ts';
import { useWorkspace } from '../../../workers/bridge/use-workspace.ts';
import { useSend } from '../frame/use-send.ts';
import styles from './lost-project.module.css';
import { ProjectList } from './project-list.tsx';
import projects from './projects.module.css';

/** What a user can do when the page's project was removed: save its canvas as a new project, or open another one. */
export function LostProject({ gone, onOpen }: { gone: boolean; onOpen: (id: string) => void }) {
  const { t } = useTranslation('projects');
  const name = useWorkspace((state) => state.project?.name ?? '');
  const { send, isBusy, problem } = useSend((kept) => kept?.projectId && onOpen(kept.projectId));
  const keep = () => send({ type: 'project.keepCanvas', name: t('gone.keptName', { name }) });

  return (
    <div className={styles.ways}>
      {gone && (
        <Button variant="primary" size="m" wide busy={isBusy} icon={<CopyPlus size={16} aria-hidden />} onClick={() => void keep()}>
          {t('gone.keep')}
        </Button>
      )}
      <ProblemNote problem={problem} className={projects.refused} />
      <div className={styles.list}>
        <ProjectList onOpen={onOpen} />
      </div>
    </div>
  );
}
