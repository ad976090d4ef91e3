import { Suspense } from 'react';
import type { ValidationProblem } from '../../../../../rules/checked-document.ts';
import { listedProblems } from '../../../../model/problem.ts';
import { useTranslation } from '../../../../ui/i18n/use-translation.ts';
import { lazyPart } from '../../../../ui/loading/lazy-part.tsx';
import styles from '../run-control.module.css';
import { RunFlyout } from '../settings/run-flyout.tsx';

const ErrorList = lazyPart(() => import('./error-list.tsx').then((file) => file.ErrorList));

/** The number of errors of the next run, with a list of their reasons. W8.01 */
export function CanvasErrors({ errors }: { errors: readonly ValidationProblem[] }) {
  const { t } = useTranslation('workspace');
  const shown = errors.slice(0, listedProblems);
  const label = t(errors.length > shown.length ? 'run.moreErrors' : 'run.errors', { count: shown.length });
  return (
    <RunFlyout
      label={label}
      trigger={
        <button type="button" className={styles.danger} data-testid="canvas-errors">
          {label}
        </button>
      }
    >
      <Suspense fallback={null}>
        <ErrorList errors={shown} />
      </Suspense>
    </RunFlyout>
  );
}
