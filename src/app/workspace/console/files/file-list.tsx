import { useMemo, useState } from 'react';
import type { ExecutionFile, ExecutionFiles } from '../../../../../contract/executions/file.ts';
import type { Problem } from '../../../../model/problem.ts';
import { Button } from '../../../../ui/controls/buttons/button.tsx';
import { IconButton } from '../../../../ui/controls/buttons/icon-button.tsx';
import { SearchField } from '../../../../ui/controls/fields/search-field.tsx';
import { formatBytes } from '../../../../ui/i18n/format-bytes.ts';
import { useProblemText } from '../../../../ui/i18n/use-problem-text.ts';
import { useTranslation } from '../../../../ui/i18n/use-translation.ts';
import { FileDown, GitPullRequest, TriangleAlert } from '../../../../ui/icons/icons.ts';
import { usePanels } from '../../frame/panels.tsx';
import { useWorkspaceContext } from '../../frame/workspace-context.ts';
import { FileTree, useClosedFolders } from './file-tree.tsx';
import styles from './files.module.css';
import { PullRequestWindow } from './pull-request-window.tsx';
import { searchFiles, treeRows } from './tree-rows.ts';
import { useDownloads } from './use-downloads.ts';

type FileListProps = {
  executionId: string;
  files: readonly ExecutionFile[];
  refused: ExecutionFiles['refused'];
  chosen: string | null;
  /** Why the list could not be reloaded. */
  stale: Problem | null;
};

/** The tree of files, the refused files, and the downloads. */
export function FileList({ executionId, files, refused, chosen, stale }: FileListProps) {
  const { t, language } = useTranslation('console');
  const problemText = useProblemText();
  const { show } = usePanels();
  const { mobile } = useWorkspaceContext();
  const [query, setQuery] = useState('');
  const [requested, setRequested] = useState(false);
  const [closed, toggle] = useClosedFolders();
  const found = useMemo(() => searchFiles(files, query), [files, query]);
  const rows = useMemo(() => treeRows(found, closed), [found, closed]);
  const version = files.map(({ path, stepId, versions }) => `${path} ${stepId} ${versions}`).join('\n');
  const bytes = files.reduce((sum, { size }) => sum + size, 0);
  const removed = files.filter(({ change }) => change === 'removed').length;
  const { saveArchive, busy, problem } = useDownloads(executionId);
  const shownProblem = problem ?? stale;
  return (
    <section className={styles.list} aria-label={t('tabs.files')}>
      <div className={styles.search}>
        <SearchField label={t('files.search')} size={mobile ? 'xl' : 's'} value={query} onSearch={setQuery} />
      </div>
      {found.length === 0 && files.length > 0 ? (
        <p className={styles.nothing}>{t('files.nothing', { query: query.trim() })}</p>
      ) : (
        <FileTree rows={rows} chosen={chosen} onPress={({ kind, id }) => (kind === 'folder' ? toggle(id) : show({ filePath: id }))} />
      )}
      {refused.length > 0 && (
        <details className={styles.refused}>
          <summary>
            <TriangleAlert size={14} aria-hidden /> {t('files.refused', { count: refused.length })}
          </summary>
          <ul>
            {refused.map(({ path, message, stepId }, index) => (
              <li key={`${stepId} ${path} ${index.toString()}`}>
                <bdi>{path}</bdi>
                <span>{message}</span>
              </li>
            ))}
          </ul>
        </details>
      )}
      {files.length > 0 && (
        <div className={styles.foot}>
          <p role="status">
            {shownProblem ? (
              <span className={styles.danger}>{problemText(shownProblem)}</span>
            ) : (
              <>
                {t('files.count', { count: files.length - removed, size: formatBytes(bytes, language) })}
                {removed > 0 && <Removed count={removed} />}
              </>
            )}
          </p>
          {files.length > removed && (
            <Button size="s" icon={<FileDown size={15} aria-hidden />} busy={busy === 'archive'} onClick={saveArchive}>
              {t('files.archive')}
            </Button>
          )}
          <IconButton
            label={t('pullRequest.open')}
            tone="bordered"
            tooltipSide="top"
            icon={<GitPullRequest size={15} />}
            onClick={() => setRequested(true)}
          />
          <PullRequestWindow
            open={requested}
            executionId={executionId}
            version={version}
            hasFiles={files.length > removed}
            onClose={() => setRequested(false)}
          />
        </div>
      )}
    </section>
  );
}

function Removed({ count }: { count: number }) {
  const { t } = useTranslation('inputs');
  return <> · {t('changes.deleted', { count })}</>;
}
