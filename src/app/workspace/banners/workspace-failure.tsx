import { Suspense } from 'react';
import { Link } from 'react-router-dom';
import { Button } from '../../../ui/controls/buttons/button.tsx';
import { buttonClass } from '../../../ui/controls/buttons/button-class.ts';
import { Spinner } from '../../../ui/controls/spinner.tsx';
import { useLateProblemText } from '../../../ui/i18n/use-late-problem-text.ts';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import { CloudAlert, RefreshCw } from '../../../ui/icons/icons.ts';
import { lazyPart } from '../../../ui/loading/lazy-part.tsx';
import { useDispatch, useWorkspace } from '../../../workers/bridge/use-workspace.ts';
import { useWorkspaceContext } from '../frame/workspace-context.ts';
import styles from './workspace-failure.module.css';

const LostProject = lazyPart(() => import('../projects/lost-project.tsx').then((file) => file.LostProject));

/** Explains why the workspace did not open or was removed, what is safe, and what to do. */
export function WorkspaceFailure() {
  const { t } = useTranslation('workspace');
  const problemText = useLateProblemText();
  const dispatch = useDispatch();
  const { account } = useWorkspaceContext();
  const failed = useWorkspace((state) => state.status === 'failed');
  const failure = useWorkspace((state) => state.failure);
  if (!failed) return null;
  const lost = failure?.code === 'project.gone' ? 'gone' : failure?.code === 'project.unknown' ? 'unknown' : null;
  return (
    <div className={styles.cover} data-panel>
      <section className={styles.card} role="alert" data-testid="workspace-failure" data-lost={lost ?? undefined}>
        <span className={styles.icon}>
          <CloudAlert size={22} aria-hidden />
        </span>
        <h2>{t(lost ? `failure.${lost}Title` : 'failure.title')}</h2>
        {failure && <p>{problemText(failure)}</p>}
        {lost && account ? (
          <Suspense fallback={<Spinner size={18} />}>
            <LostProject gone={lost === 'gone'} onOpen={account.openProject} />
          </Suspense>
        ) : (
          <>
            <p className={styles.kept}>{t('failure.kept')}</p>
            <div className={styles.actions}>
              <Link to="/" className={buttonClass({})}>
                {t('homePage')}
              </Link>
              <Button
                variant="primary"
                icon={<RefreshCw size={16} aria-hidden />}
                onClick={() => void dispatch({ type: 'workspace.reload' })}
              >
                {t('common:tryAgain')}
              </Button>
            </div>
          </>
        )}
      </section>
    </div>
  );
}
