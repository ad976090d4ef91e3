import { useEffect, useMemo } from 'react';
import { modelCallsTools } from '../../../../../contract/agent.ts';
import type { InputAddition, InputSet } from '../../../../../contract/input.ts';
import { serverAgents } from '../../../../model/agents/fallback-agent.ts';
import type { Dispatch } from '../../../../model/commands.ts';
import { planPipeline } from '../../../../model/run/plan/pipeline-plan.ts';
import type { WorkspaceStore } from '../../../../model/workspace-store.ts';
import { useObserved } from '../../../../state/use-observed.ts';
import { Button } from '../../../../ui/controls/buttons/button.tsx';
import { IconButton } from '../../../../ui/controls/buttons/icon-button.tsx';
import { Spinner } from '../../../../ui/controls/spinner.tsx';
import { ReadAs } from '../../../../ui/files/read-as.tsx';
import { formatBytes } from '../../../../ui/i18n/format-bytes.ts';
import { useProblemText } from '../../../../ui/i18n/use-problem-text.ts';
import { useTranslation } from '../../../../ui/i18n/use-translation.ts';
import { GitBranch, X } from '../../../../ui/icons/icons.ts';
import { useStoreValue } from '../../../use-store-value.ts';
import type { DialogDrafts } from '../dialog-drafts.ts';
import styles from './dialog-files.module.css';
import { type AddedFile, type DialogFiles, filesBeside } from './dialog-files.ts';

/** The files of a set that are listed; a repository has thousands. */
const maxListed = 50;

type Props = { nodeId: string; store: WorkspaceStore; drafts: DialogDrafts; dispatch: Dispatch };

/** The files that go with the dialog's next run: those that are stored, those on their way, and those that were refused. */
export function DialogFilesList({ nodeId, store, drafts, dispatch }: Props) {
  const { t, language } = useTranslation('inputs');
  const problemText = useProblemText();
  const files = filesBeside(drafts, dispatch);
  const { set, added, progress, leftOut, pasted, problem } = useObserved(files, () => files.of(nodeId));
  const isSealed = set !== null && set.sealedAt !== null;
  useNewestSet(files, nodeId, set, store);
  const stored = set?.files ?? [];
  const isEmpty = stored.length === 0 && added.length === 0;
  if (isEmpty && !problem) return null;
  const count = set?.count ?? 0;
  const unlisted = count - Math.min(stored.length, maxListed);
  return (
    <section className={styles.files} aria-label={t('list')} data-testid="dialog-files">
      <p className={styles.head} role="status">
        {progress.done < progress.all ? t('adding', progress) : t('total', { count, size: formatBytes(set?.bytes ?? 0, language) })}
        {stored.length > 0 && (
          <Button size="xs" onClick={() => files.removeAll(nodeId)}>
            {t('removeAll')}
          </Button>
        )}
      </p>
      {set?.git && <GitSource git={set.git} />}
      {progress.done < progress.all && <progress className={styles.progress} value={progress.done} max={progress.all} />}
      <ul>
        {stored.slice(0, maxListed).map((file) => (
          <StoredFile key={file.path} file={file} onRemove={isSealed ? null : () => files.remove(nodeId, file.path)} />
        ))}
        {unlisted > 0 && <li className={styles.size}>{t('more', { count: unlisted })}</li>}
        {added.map((file) => (
          <FileOnItsWay key={file.key} file={file} onDismiss={() => files.dismiss(nodeId, file.key)} />
        ))}
      </ul>
      {pasted && [...stored.map(({ path }) => path), ...added.map(({ name }) => name)].includes(pasted.name) && (
        <p className={styles.pasted} role="status" data-testid="pasted-as-file">
          {t('pasted', { count: pasted.characters, characters: pasted.characters.toLocaleString(language), name: pasted.name })}
        </p>
      )}
      {leftOut.length > 0 && <LeftOutFiles files={leftOut} />}
      {!isEmpty && <AgentsWithoutTools store={store} dialogId={nodeId} />}
      {isSealed && <p className={styles.size}>{t('sealed')}</p>}
      {problem && (
        <p className={styles.reason} role="alert">
          {problem.code === 'not_found' ? t('gone') : problemText(problem)}
        </p>
      )}
    </section>
  );
}

/** Reads the dialog's set, and reads it again once a run has used it. */
function useNewestSet(files: DialogFiles, nodeId: string, set: InputSet | null, store: WorkspaceStore): void {
  useEffect(() => {
    void files.load(nodeId);
  }, [files, nodeId]);
  const usedSetId = useStoreValue(store, (state) => state.run.execution?.inputSetId ?? null);
  const isStale = set !== null && set.sealedAt === null && set.id === usedSetId;
  useEffect(() => {
    if (isStale) void files.refresh(nodeId);
  }, [files, nodeId, isStale]);
}

function GitSource({ git: { url, ref, sha } }: { git: NonNullable<InputSet['git']> }) {
  const { t } = useTranslation('inputs');
  return (
    <p className={styles.git} data-testid="dialog-git">
      <GitBranch size={13} aria-hidden />
      <bdi title={url}>{t('git.source', { url: url.replace(/^https?:\/\//, ''), ref, sha: sha.slice(0, 7) })}</bdi>
    </p>
  );
}

/** `onRemove`: null for a file of a set that a run has used. */
function StoredFile({ file, onRemove }: { file: InputSet['files'][number]; onRemove: (() => void) | null }) {
  const { t, language } = useTranslation('inputs');
  return (
    <li>
      <bdi title={file.path}>{file.path}</bdi>
      <span className={styles.size}>{formatBytes(file.bytes, language)}</span>
      {onRemove && <IconButton size={24} label={t('words:removeNamed', { name: file.path })} icon={<X size={13} />} onClick={onRemove} />}
      <ReadAs className={styles.note} file={file} />
    </li>
  );
}

/** A file that is being added, or was refused. */
function FileOnItsWay({ file: { name, bytes, problem }, onDismiss }: { file: AddedFile; onDismiss: () => void }) {
  const { t, language } = useTranslation('inputs');
  const problemText = useProblemText();
  if (!problem) {
    return (
      <li>
        <bdi title={name}>{name}</bdi>
        {bytes !== null && <span className={styles.size}>{formatBytes(bytes, language)}</span>}
        <Spinner size={13} />
      </li>
    );
  }
  return (
    <li data-refused>
      <bdi title={name}>{name}</bdi>
      <IconButton size={24} label={t('dismiss', { name })} icon={<X size={13} />} onClick={onDismiss} />
      <span className={styles.reason} role="alert">
        {problemText(problem)}
      </span>
    </li>
  );
}

function LeftOutFiles({ files }: { files: InputAddition['leftOut'] }) {
  const { t } = useTranslation('inputs');
  return (
    <details>
      <summary>{t('leftOut', { count: files.length })}</summary>
      <ul>
        {files.map(({ path, message }) => (
          <li key={path}>
            <bdi title={path}>{path}</bdi>
            <span className={styles.reason}>{message}</span>
          </li>
        ))}
      </ul>
    </details>
  );
}

/** A warning for each agent of the dialog's next run whose model calls no tools, and so reads no files. G3.02 */
function AgentsWithoutTools({ store, dialogId }: { store: WorkspaceStore; dialogId: string }) {
  const problemText = useProblemText();
  const agents = useStoreValue(store, (state) => state.agents.byId);
  const order = useStoreValue(store, (state) => state.agents.order);
  const known = useMemo(() => serverAgents({ byId: agents, order }), [agents, order]);
  // Usually each model calls tools, and no canvas is planned.
  const isNeeded = known.some(({ apiConfiguration: { providerType, model } }) => !modelCallsTools(providerType, model));
  const document = useStoreValue(store, (state) => (isNeeded ? state.document : null));
  const warnings = useMemo(() => {
    const dialog = document?.nodes[dialogId];
    const planned = document && dialog && planPipeline(document, known, dialog);
    return planned?.ok ? planned.plan.withoutTools.map(({ warning }) => warning) : [];
  }, [document, known, dialogId]);
  if (warnings.length === 0) return null;
  return (
    <ul className={styles.warnings} data-testid="without-tools">
      {warnings.map((warning) => (
        <li key={String(warning.params?.name)}>{problemText(warning)}</li>
      ))}
    </ul>
  );
}
