import { Suspense } from 'react';
import { Flyout } from '../../../ui/controls/overlays/flyout.tsx';
import { Spinner } from '../../../ui/controls/spinner.tsx';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import { ChevronDown } from '../../../ui/icons/icons.ts';
import { lazyPart } from '../../../ui/loading/lazy-part.tsx';
import { usePanels } from '../frame/panels.tsx';
import { useWorkspaceContext } from '../frame/workspace-context.ts';
import styles from './project-switcher.module.css';

const ProjectPanel = lazyPart(() => import('./project-panel.tsx').then((file) => file.ProjectPanel));

/** The button with the open project's name, which opens the list of projects. */
export function ProjectSwitcher({ name }: { name: string }) {
  const { t } = useTranslation('workspace');
  const { panels, show } = usePanels();
  const { mobile } = useWorkspaceContext();
  return (
    <Flyout
      open={panels.window?.kind === 'projects'}
      onOpenChange={(open) => show({ window: open ? { kind: 'projects' } : null })}
      sheet={mobile}
      label={t('bar.projects', { name })}
      trigger={
        <button
          type="button"
          className={styles.trigger}
          title={name}
          aria-label={t('bar.projects', { name })}
          data-testid="project-switcher"
        >
          <span className={styles.name}>{name}</span>
          <ChevronDown size={15} aria-hidden />
        </button>
      }
    >
      <Suspense
        fallback={
          <div className={styles.waiting}>
            <Spinner size={18} />
          </div>
        }
      >
        <ProjectPanel />
      </Suspense>
    </Flyout>
  );
}
