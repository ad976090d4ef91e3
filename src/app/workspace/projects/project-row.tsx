import type { Project } from '../../../../contract/project.ts';
import { IconButton } from '../../../ui/controls/buttons/icon-button.tsx';
import { Menu, MenuItem, MenuSeparator } from '../../../ui/controls/overlays/menu.tsx';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import { Archive, ArchiveRestore, Check, Ellipsis, PencilLine, Trash2 } from '../../../ui/icons/icons.ts';
import { initials } from '../../../ui/initials.ts';
import { useDispatch } from '../../../workers/bridge/use-workspace.ts';
import { usePanels } from '../frame/panels.tsx';
import { useWorkspaceContext } from '../frame/workspace-context.ts';
import { formatDate } from '../time/format-moment.ts';
import { projectHue } from './project-sections.ts';
import styles from './projects.module.css';

type ProjectRowProps = { project: Project; current: boolean; running: boolean; managed: boolean; onOpen: () => void };

/** One project of the list. */
export function ProjectRow({ project, current, running, managed, onOpen }: ProjectRowProps) {
  const { t, language } = useTranslation('projects');
  const { name, status, updatedAt } = project;
  const edited = t('edited', { when: formatDate(updatedAt, language) });
  return (
    <li className={styles.row} data-current={current || undefined}>
      <button type="button" className={styles.open} aria-current={current || undefined} data-project={project.id} onClick={onOpen}>
        <span className={styles.tile} data-hue={projectHue(project.id)} aria-hidden>
          {initials(name) || '·'}
        </span>
        <span className={styles.words}>
          <span className={styles.name}>{name}</span>
          <span className={styles.about}>{status === 'active' ? edited : `${t(`status.${status}`)} · ${edited}`}</span>
        </span>
        {running && (
          <span className={styles.running}>
            <i />
            {t('running')}
          </span>
        )}
        {current && <Check size={16} className={styles.check} aria-label={t('current')} />}
      </button>
      {managed && <RowMenu project={project} />}
    </li>
  );
}

function RowMenu({ project }: { project: Project }) {
  const { t } = useTranslation('projects');
  const { show } = usePanels();
  const { mobile } = useWorkspaceContext();
  const dispatch = useDispatch();
  const archived = project.status === 'archived';
  const archive = () => void dispatch({ type: 'project.update', id: project.id, status: archived ? 'active' : 'archived' });
  return (
    <Menu
      align="end"
      trigger={
        <IconButton
          className={styles.more}
          label={t('more', { name: project.name })}
          size={mobile ? 40 : 28}
          icon={<Ellipsis size={16} />}
        />
      }
    >
      <MenuItem icon={<PencilLine size={16} aria-hidden />} onSelect={() => show({ window: { kind: 'projectForm', project } })}>
        {t('rename')}
      </MenuItem>
      <MenuItem icon={archived ? <ArchiveRestore size={16} aria-hidden /> : <Archive size={16} aria-hidden />} onSelect={archive}>
        {t(archived ? 'restore' : 'archive')}
      </MenuItem>
      <MenuSeparator />
      <MenuItem danger icon={<Trash2 size={16} aria-hidden />} onSelect={() => show({ window: { kind: 'projectRemoval', project } })}>
        {t('remove')}
      </MenuItem>
    </Menu>
  );
}
