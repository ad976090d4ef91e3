import { Suspense, useMemo, useState } from 'react';
import type { PullRequest } from '../../../../../contract/executions/file.ts';
import { Button } from '../../../../ui/controls/buttons/button.tsx';
import { Modal } from '../../../../ui/controls/overlays/modal.tsx';
import { useProblemText } from '../../../../ui/i18n/use-problem-text.ts';
import { useTranslation } from '../../../../ui/i18n/use-translation.ts';
import { ChevronDown, FileDown, GitBranch, GitPullRequest, Info } from '../../../../ui/icons/icons.ts';
import { lazyPart } from '../../../../ui/loading/lazy-part.tsx';
import { useRead } from '../../../server-data/use-read.ts';
import { LazyMarkdown } from '../../markdown/lazy-markdown.tsx';
import { SimulatedBadge } from '../../marks/simulated-badge.tsx';
import { ChangeText, isPlainChange } from './change-of-file.tsx';
import { DiffLine } from './diff-line.tsx';
import { diffRows, splitDiff } from './diff-rows.ts';
import { Loaded } from './loaded.tsx';
import styles from './pull-request.module.css';
import { useDownloads } from './use-downloads.ts';

/** Its settings have a form, which is loaded with them. */
const PublishButton = lazyPart(() => import('./publish-panel.tsx').then((file) => file.PublishButton));
const PublishPanel = lazyPart(() => import('./publish-panel.tsx').then((file) => file.PublishPanel));

/** The shown lines of one file's changes; the patch has all. */
const maxLines = 400;

/** `hasFiles`: the run has left a file, so that there is a ZIP. */
type PullRequestWindowProps = { open: boolean; executionId: string; version: string; hasFiles: boolean; onClose: () => void };

/** The run's changes to the project as a pull request: title, description, and the changes of each file. R42.01 */
export function PullRequestWindow({ open, executionId, version, hasFiles, onClose }: PullRequestWindowProps) {
  const { t } = useTranslation('console');
  const problemText = useProblemText();
  const { saveArchive, savePatch, saveBundle, name, busy, problem } = useDownloads(executionId);
  const input = open ? { params: { id: executionId } } : null;
  const plan = useRead('execution.publication', input, { when: version, about: executionId });
  // A published request says other things of itself.
  const published = plan.value?.publication?.sha ?? '';
  const remote = useRead('execution.pullRequest', input, { when: `${version} ${published}`, about: executionId });
  const { value } = remote;
  // The difference comes first; what was published before says where it is.
  const [asksToPublish, askToPublish] = useState(false);
  const isPublishing = asksToPublish || plan.problem !== null || published !== '';
  const close = () => {
    askToPublish(false);
    onClose();
  };
  return (
    <Modal
      open={open}
      onClose={close}
      size="xl"
      title={value?.title || t('pullRequest.title')}
      description={
        <span className={styles.about}>
          <GitPullRequest size={16} aria-hidden />
          {t('pullRequest.title')}
          {value && (
            <>
              <span>{t('words:fileCount', { count: value.files.length })}</span>
              <Counts additions={value.additions} deletions={value.deletions} />
              {value.simulated && <SimulatedBadge />}
            </>
          )}
        </span>
      }
      footer={
        <>
          <p className={styles.local} role="status">
            {problem ? (
              <span className={styles.danger}>{problemText(problem)}</span>
            ) : (
              published === '' && (
                <>
                  <Info size={15} aria-hidden /> {t('pullRequest.local')}
                </>
              )
            )}
          </p>
          {plan.value && (
            <p className={styles.local}>
              {t('pullRequest.takeBundle')} <code>{t('pullRequest.bundleCommand', { name })}</code>
            </p>
          )}
          {hasFiles && (
            <Button icon={<FileDown size={15} aria-hidden />} busy={busy === 'archive'} onClick={saveArchive}>
              {t('files.archive')}
            </Button>
          )}
          {plan.value && (
            <Button icon={<GitBranch size={15} aria-hidden />} busy={busy === 'bundle'} onClick={saveBundle}>
              {t('pullRequest.bundle')}
            </Button>
          )}
          <Button icon={<FileDown size={15} aria-hidden />} busy={busy === 'patch'} onClick={savePatch}>
            {t('pullRequest.patch')}
          </Button>
          {!isPublishing && plan.value && plan.value.files > 0 && (
            <Suspense fallback={null}>
              <PublishButton onPress={() => askToPublish(true)} />
            </Suspense>
          )}
        </>
      }
    >
      {isPublishing && (
        <Suspense fallback={null}>
          <PublishPanel executionId={executionId} plan={plan} isAsked={asksToPublish} onLeave={close} />
        </Suspense>
      )}
      <Loaded remote={remote}>{(request) => <Content request={request} />}</Loaded>
    </Modal>
  );
}

function Content({ request: { description, diff, files } }: { request: PullRequest }) {
  const { t } = useTranslation('console');
  const diffs = useMemo(() => splitDiff(diff), [diff]);
  return (
    <div className={styles.content} data-testid="pull-request">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by the keyboard */}
      <section className={styles.description} tabIndex={0} aria-label={t('words:description')}>
        <LazyMarkdown text={description} />
      </section>
      <section className={styles.changes} aria-label={t('files.changes')}>
        {files.length === 0 && <p className={styles.nothing}>{t('pullRequest.nothing')}</p>}
        {files.map((file, index) => (
          <FileChanges key={file.path} file={file} diff={diffs[index] ?? ''} open={index === 0} />
        ))}
      </section>
    </div>
  );
}

function FileChanges({ file, diff, open }: { file: PullRequest['files'][number]; diff: string; open: boolean }) {
  const { t } = useTranslation('console');
  const rows = useMemo(() => diffRows(diff), [diff]);
  const left = rows.length - maxLines;
  return (
    <details className={styles.file} open={open}>
      <summary>
        <ChevronDown size={14} aria-hidden />
        <bdi title={file.path}>{file.path}</bdi>
        <span className={styles.change} data-change={file.change}>
          {isPlainChange(file) ? t(file.change === 'added' ? 'files.added' : 'files.changed') : <ChangeText change={file} />}
        </span>
        <Counts additions={file.additions} deletions={file.deletions} />
      </summary>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by the keyboard */}
      <section className={styles.lines} tabIndex={0} aria-label={file.path}>
        <div>
          {rows.slice(0, maxLines).map((row, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: lines have no name but their place
            <DiffLine key={at} row={row} />
          ))}
        </div>
      </section>
      {left > 0 && <p className={styles.nothing}>{t('pullRequest.more', { count: left })}</p>}
    </details>
  );
}

function Counts({ additions, deletions }: { additions: number; deletions: number }) {
  const { language } = useTranslation('console');
  return (
    <span className={styles.counts}>
      <span className={styles.plus}>+{additions.toLocaleString(language)}</span>{' '}
      <span className={styles.minus}>−{deletions.toLocaleString(language)}</span>
    </span>
  );
}
