import { memo, useMemo, useState } from 'react';
import type { ExecutionFile, ExecutionFiles } from '../../../../../contract/executions/file.ts';
import { Segmented } from '../../../../ui/controls/fields/segmented.tsx';
import { useTranslation } from '../../../../ui/i18n/use-translation.ts';
import { Folder } from '../../../../ui/icons/icons.ts';
import { useWorkspace } from '../../../../workers/bridge/use-workspace.ts';
import type { RemoteData } from '../../../server-data/use-read.ts';
import { usePanels } from '../../frame/panels.tsx';
import { useWorkspaceContext } from '../../frame/workspace-context.ts';
import { EmptyState } from '../../lists/empty-state.tsx';
import { BaseFiles } from './base-files.tsx';
import { FileList } from './file-list.tsx';
import { FileViewer } from './file-viewer.tsx';
import styles from './files.module.css';
import { Loaded } from './loaded.tsx';

/** The files of the run: what the agents wrote, and on request what the user gave to it. R42.01 */
export const Files = memo(FilesOfRun);

function FilesOfRun(props: { remote: RemoteData<ExecutionFiles>; executionId: string | null }) {
  const { t } = useTranslation('console');
  const setId = useWorkspace((state) => state.run.execution?.inputSetId ?? null);
  const [side, setSide] = useState<'written' | 'given'>('written');
  if (setId === null) return <FilesNow {...props} />;
  const options = [
    { value: 'written', label: t('files.changes') },
    { value: 'given', label: t('files.given') },
  ] as const;
  return (
    <div className={styles.twoSides}>
      <div className={styles.sideSwitch}>
        <Segmented label={t('files.sidesOfRun')} value={side} options={options} onChange={setSide} />
      </div>
      {side === 'written' ? <FilesNow {...props} /> : <BaseFiles key={setId} setId={setId} />}
    </div>
  );
}

function FilesNow({ remote, executionId }: { remote: RemoteData<ExecutionFiles>; executionId: string | null }) {
  const { t } = useTranslation('console');
  const { panels, show } = usePanels();
  const { mobile } = useWorkspaceContext();
  const { value, problem } = remote;
  const files = value?.files ?? none;
  const chosen = useMemo(() => chosenFile(files, panels.filePath, mobile), [files, panels.filePath, mobile]);
  if (executionId === null || (value && files.length === 0 && value.refused.length === 0)) {
    return (
      <EmptyState icon={<Folder size={19} aria-hidden />} title={t('files.emptyTitle')}>
        {t('files.empty')}
      </EmptyState>
    );
  }
  if (!value) return <Loaded remote={remote}>{() => null}</Loaded>;
  const viewer = chosen && (
    <FileViewer
      key={chosen.path}
      executionId={executionId}
      file={chosen}
      version={`${chosen.stepId} ${chosen.versions}`}
      onClose={mobile ? () => show({ filePath: null }) : undefined}
    />
  );
  if (mobile && viewer) return viewer;
  return (
    <div className={styles.files} data-testid="files">
      <FileList executionId={executionId} files={files} refused={value.refused} chosen={chosen?.path ?? null} stale={problem} />
      {viewer}
    </div>
  );
}

const none: ExecutionFile[] = [];

/** Returns the chosen file. On a wide screen it is the first file if none is chosen or the chosen one was removed. */
function chosenFile(files: readonly ExecutionFile[], path: string | null, mobile: boolean): ExecutionFile | null {
  const found = files.find((file) => file.path === path);
  return found ?? (mobile ? null : (files.find((file) => file.hasPrevious) ?? files[0] ?? null));
}
