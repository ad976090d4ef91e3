import { useEffect, useMemo } from 'react';
import { modelCallsTools } from '../../../../../contract/agent.ts';
import { serverAgents } from '../../../../model/agents/fallback-agent.ts';
import type { Dispatch } from '../../../../model/commands.ts';
import type { Problem } from '../../../../model/problem.ts';
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
import { filesBeside } from './dialog-files.ts';

const none: Problem[] = [];

/** Returns a warning for each agent of a dialog's next run whose model calls no tools. `isAsked`: whether the run has files. G3.02 */
function useWithoutTools(store: WorkspaceStore, dialogId: string, isAsked: boolean): Problem[] {
  const agents = useStoreValue(store, (state) => state.agents.byId);
  const order = useStoreValue(store, (state) => state.agents.order);
  const known = useMemo(() => serverAgents({ byId: agents, order }), [agents, order]);
  // Usually each model calls tools, and no canvas is planned.
  const isNeeded = isAsked && known.some(({ apiConfiguration: { providerType, model } }) => !modelCallsTools(providerType, model));
  const document = useStoreValue(store, (state) => (isNeeded ? state.document : null));
  return useMemo(() => {
    const dialog = document?.nodes[dialogId];
    const planned = document && dialog && planPipeline(document, known, dialog);
    return planned?.ok ? planned.plan.withoutTools.map(({ warning }) => warning) : none;
  }, [document, known, dialogId]);
}

/** The files of a set that are listed; a repository has thousands. */
const maxListed = 50;

type Props = { nodeId: string; store: WorkspaceStore; drafts: DialogDrafts; dispatch: Dispatch };

/** The files that go with the dialog's next run: those that are stored, those on their way, and those that were refused. */
export function DialogFilesList({ nodeId, store, drafts, dispatch }: Props) {
  const { t, language } = useTranslation('inputs');
  const problemText = useProblemText();
  const files = filesBeside(drafts, dispatch);
  const { set, added, progress, leftOut, pasted, problem } = useObserved(files, () => files.of(nodeId));
  useEffect(() => {
    void files.load(nodeId);
  }, [files, nodeId]);
  const usedSetId = useStoreValue(store, (state) => state.run.execution?.inputSetId ?? null);
  const isSealed = set !== null && set.sealedAt !== null;
  const isStale = set !== null && !isSealed && set.id === usedSetId;
  useEffect(() => {
    if (isStale) void files.refresh(nodeId);
  }, [files, nodeId, isStale]);
  const stored = set?.files ?? [];
  const isEmpty = stored.length === 0 && added.length === 0;
  const withoutTools = useWithoutTools(store, nodeId, !isEmpty);
  if (isEmpty && !problem) return null;
  const count = set?.count ?? 0;
  const size = formatBytes(set?.bytes ?? 0, language);
  return (
    <section className={styles.files} aria-label={t('list')} data-testid="dialog-files">
      <p className={styles.head} role="status">
        {progress.done < progress.all ? t('adding', progress) : t('total', { count, size })}
        {stored.length > 0 && (
          <Button size="xs" onClick={() => files.removeAll(nodeId)}>
            {t('removeAll')}
          </Button>
        )}
      </p>
      {set?.git && (
        <p className={styles.git} data-testid="dialog-git">
          <GitBranch size={13} aria-hidden />
          <bdi title={set.git.url}>
            {t('git.source', { url: set.git.url.replace(/^https?:\/\//, ''), ref: set.git.ref, sha: set.git.sha.slice(0, 7) })}
          </bdi>
        </p>
      )}
      {progress.done < progress.all && <progress className={styles.progress} value={progress.done} max={progress.all} />}
      <ul>
        {stored.slice(0, maxListed).map(({ path, bytes, encoding, replaced }) => (
          <li key={path}>
            <bdi title={path}>{path}</bdi>
            <span className={styles.size}>{formatBytes(bytes, language)}</span>
            {!isSealed && (
              <IconButton
                size={24}
                label={t('words:removeNamed', { name: path })}
                icon={<X size={13} />}
                onClick={() => files.remove(nodeId, path)}
              />
            )}
            <ReadAs className={styles.note} file={{ encoding, replaced }} />
          </li>
        ))}
        {count > Math.min(stored.length, maxListed) && (
          <li className={styles.size}>{t('more', { count: count - Math.min(stored.length, maxListed) })}</li>
        )}
        {added.map(({ key, name, bytes, problem: refused }) => (
          <li key={key} data-refused={refused ? true : undefined}>
            <bdi title={name}>{name}</bdi>
            {refused ? (
              <IconButton size={24} label={t('dismiss', { name })} icon={<X size={13} />} onClick={() => files.dismiss(nodeId, key)} />
            ) : (
              <>
                {bytes !== null && <span className={styles.size}>{formatBytes(bytes, language)}</span>}
                <Spinner size={13} />
              </>
            )}
            {refused && (
              <span className={styles.reason} role="alert">
                {problemText(refused)}
              </span>
            )}
          </li>
        ))}
      </ul>
      {pasted && [...stored.map(({ path }) => path), ...added.map(({ name }) => name)].includes(pasted.name) && (
        <p className={styles.pasted} role="status" data-testid="pasted-as-file">
          {t('pasted', { count: pasted.characters, characters: pasted.characters.toLocaleString(language), name: pasted.name })}
        </p>
      )}
      {leftOut.length > 0 && (
        <details>
          <summary>{t('leftOut', { count: leftOut.length })}</summary>
          <ul>
            {leftOut.map(({ path, message }) => (
              <li key={path}>
                <bdi title={path}>{path}</bdi>
                <span className={styles.reason}>{message}</span>
              </li>
            ))}
          </ul>
        </details>
      )}
      {withoutTools.length > 0 && (
        <ul className={styles.warnings} data-testid="without-tools">
          {withoutTools.map((warning) => (
            <li key={String(warning.params?.name)}>{problemText(warning)}</li>
          ))}
        </ul>
      )}
      {isSealed && <p className={styles.size}>{t('sealed')}</p>}
      {problem && (
        <p className={styles.reason} role="alert">
          {problem.code === 'not_found' ? t('gone') : problemText(problem)}
        </p>
      )}
    </section>
  );
}
