import { useRef } from 'react';
import type { Project } from '../../../../contract/project.ts';
import { Button } from '../../../ui/controls/buttons/button.tsx';
import { Modal } from '../../../ui/controls/overlays/modal.tsx';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import { Wallet } from '../../../ui/icons/icons.ts';
import { useStore } from '../../../workers/bridge/use-workspace.ts';
import { useLeaveProject } from '../account/use-leave-project.ts';
import { usePanels } from '../frame/panels.tsx';
import { useWorkspaceContext } from '../frame/workspace-context.ts';
import { ProjectForm } from './project-form.tsx';
import { ProjectRemoval } from './project-removal.tsx';
import { nextProject } from './project-sections.ts';

/** The windows that create, change and remove a project. */
export function ProjectWindows() {
  const { t } = useTranslation('projects');
  const { panels, show } = usePanels();
  const { account, demo } = useWorkspaceContext();
  const store = useStore();
  const { window: shown } = panels;
  const close = () => show({ window: null });
  // The window keeps its content while it fades out.
  const leave = useLeaveProject();
  const last = useRef(shown);
  if (shown?.kind === 'projectForm' || shown?.kind === 'projectRemoval') last.current = shown;
  const form = last.current?.kind === 'projectForm' ? last.current : null;
  const removal = last.current?.kind === 'projectRemoval' ? last.current : null;

  const removed = (id: string) => {
    const { project, projects } = store.getState();
    close();
    const next = nextProject(projects.items, id);
    if (project?.id === id && next !== null) account?.openProject(next);
  };

  return (
    <>
      <Modal
        open={shown?.kind === 'projectForm'}
        onClose={close}
        title={t(form?.project ? 'words:project' : 'new')}
        description={form?.project ? undefined : t('form.newText')}
      >
        <ProjectForm
          project={form?.project ?? null}
          onDone={(madeId) => {
            close();
            if (madeId !== null) leave({ projectId: madeId });
          }}
        />
        {form?.project && !demo && <BudgetsOfProject project={form.project} />}
      </Modal>
      {removal && (
        <ProjectRemoval
          key={removal.project.id}
          project={removal.project}
          open={shown?.kind === 'projectRemoval'}
          onClose={close}
          onRemoved={() => removed(removal.project.id)}
        />
      )}
    </>
  );
}

/** The way to the budgets of the project. */
function BudgetsOfProject({ project }: { project: Project }) {
  const { t } = useTranslation('projects');
  const { show } = usePanels();
  return (
    <Button
      wide
      variant="ghost"
      icon={<Wallet size={16} aria-hidden />}
      onClick={() => show({ window: { kind: 'account', budgetsOf: project } })}
    >
      {t('form.budgets')}
    </Button>
  );
}
