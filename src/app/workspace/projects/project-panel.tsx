import { Button } from '../../../ui/controls/buttons/button.tsx';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import { Plus, SlidersHorizontal } from '../../../ui/icons/icons.ts';
import { useWorkspace } from '../../../workers/bridge/use-workspace.ts';
import { useLeaveProject } from '../account/use-leave-project.ts';
import { usePanels } from '../frame/panels.tsx';
import { ProjectFigures } from './project-figures.tsx';
import { ProjectList } from './project-list.tsx';
import styles from './projects.module.css';

/** The content of the project switcher: the figures of the open project, the list of projects, and the button for a new one. */
export function ProjectPanel() {
  const { t } = useTranslation('projects');
  const { show } = usePanels();
  const leave = useLeaveProject();
  const project = useWorkspace((state) => state.project);
  const open = (id: string) => {
    show({ window: null });
    if (id !== project?.id) leave({ projectId: id });
  };
  return (
    <div className={styles.panel} data-testid="projects">
      {project && <ProjectFigures projectId={project.id} />}
      <ProjectList onOpen={open} managed />
      <footer className={styles.foot}>
        <Button
          size="m"
          wide
          icon={<Plus size={16} aria-hidden />}
          onClick={() => show({ window: { kind: 'projectForm', project: null } })}
        >
          {t('new')}
        </Button>
        {project && (
          <Button
            size="m"
            wide
            icon={<SlidersHorizontal size={16} aria-hidden />}
            onClick={() => show({ window: { kind: 'connections' } })}
          >
            {t('modelsAndTools')}
          </Button>
        )}
      </footer>
    </div>
  );
}
