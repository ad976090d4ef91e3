import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { SearchField } from '../../../ui/controls/fields/search-field.tsx';
import { useProblemText } from '../../../ui/i18n/use-problem-text.ts';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import { ChevronDown } from '../../../ui/icons/icons.ts';
import { LoadProblem } from '../../../ui/loading/remote-state.tsx';
import { useDispatch, useWorkspace } from '../../../workers/bridge/use-workspace.ts';
import { useWorkspaceContext } from '../frame/workspace-context.ts';
import { ProjectRow } from './project-row.tsx';
import { projectSections } from './project-sections.ts';
import styles from './projects.module.css';

type ProjectListProps = {
  onOpen: (id: string) => void;
  /** Whether each line has a menu that renames, archives and deletes. */
  managed?: boolean;
};

/** The user's projects, read each time they are shown. The arrow keys move from the search through the lines. */
export function ProjectList({ onOpen, managed = false }: ProjectListProps) {
  const { t } = useTranslation('projects');
  const problemText = useProblemText();
  const { mobile } = useWorkspaceContext();
  const dispatch = useDispatch();
  const { items, status, error, runningIds } = useWorkspace((state) => state.projects);
  const currentId = useWorkspace((state) => state.project?.id ?? null);
  const [query, setQuery] = useState('');
  const [archiveOpen, setArchiveOpen] = useState(false);
  const frame = useRef<HTMLDivElement>(null);
  const searching = query.trim() !== '';
  const { shown, archived } = projectSections(items, query, currentId);
  const withArchive = archiveOpen || searching;

  useEffect(() => {
    void dispatch({ type: 'projects.load' });
  }, [dispatch]);

  const onKeyDown = (event: KeyboardEvent) => {
    const lines = [...(frame.current?.querySelectorAll<HTMLElement>('input, [data-project]') ?? [])];
    const to = neighbour(event.key, lines.indexOf(document.activeElement as HTMLElement), lines.length);
    if (to === null) return;
    event.preventDefault();
    lines[to]?.focus();
  };
  const first = shown[0] ?? archived[0];
  const row = (project: (typeof items)[number]) => (
    <ProjectRow
      key={project.id}
      project={project}
      current={project.id === currentId}
      running={runningIds.includes(project.id)}
      managed={managed}
      onOpen={() => onOpen(project.id)}
    />
  );

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the arrow keys move between the controls inside, which keep their own roles
    <div ref={frame} className={styles.frame} onKeyDown={onKeyDown}>
      <div className={styles.search}>
        <SearchField
          label={t('search')}
          size={mobile ? 'xl' : 'm'}
          value={query}
          onSearch={setQuery}
          onEnter={() => searching && first && onOpen(first.id)}
        />
      </div>
      <div className={styles.scroll}>
        {error && (
          <LoadProblem
            className={styles.problem}
            text={problemText(error)}
            size="xs"
            retry={t('words:repeat')}
            onRetry={() => void dispatch({ type: 'projects.load' })}
          />
        )}
        {status === 'loading' && items.length === 0 && <p className={styles.note}>{t('loading')}</p>}
        {searching && !first && <p className={styles.note}>{t('nothing', { query: query.trim() })}</p>}
        <ul aria-label={t('title')}>{shown.map(row)}</ul>
        {archived.length > 0 && (
          <>
            {!searching && (
              <button type="button" className={styles.archive} aria-expanded={archiveOpen} onClick={() => setArchiveOpen(!archiveOpen)}>
                <ChevronDown size={14} aria-hidden />
                {t('archived')}
                <span className={styles.count}>{archived.length}</span>
              </button>
            )}
            {withArchive && <ul aria-label={t('archived')}>{archived.map(row)}</ul>}
          </>
        )}
      </div>
    </div>
  );
}

function neighbour(key: string, at: number, count: number): number | null {
  if (at === -1) return null;
  if (key === 'ArrowDown') return Math.min(at + 1, count - 1);
  if (key === 'ArrowUp') return Math.max(at - 1, 0);
  return null;
}
