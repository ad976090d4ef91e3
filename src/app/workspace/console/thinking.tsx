import { useDeferredValue, useEffect, useRef } from 'react';
import type { StepRun } from '../../../../contract/execution.ts';
import { roleHue } from '../../../model/roles.ts';
import { Spinner } from '../../../ui/controls/spinner.tsx';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import { Brain } from '../../../ui/icons.ts';
import { RoleTile } from '../../../ui/role-icon.tsx';
import { roleIconName } from '../../../ui/role-icon-name.ts';
import { useWorkspace } from '../../../workers/bridge/use-workspace.ts';
import { EmptyState } from '../empty-state.tsx';
import { formatDuration } from '../format-duration.ts';
import { LazyMarkdown } from '../lazy-markdown.tsx';
import { stepElapsedMs } from '../run/run-figures.ts';
import { useNow } from '../use-now.ts';
import styles from './thinking.module.css';

/** The text of the step under way, as it is written. R46.01 */
export function Thinking() {
  const { t } = useTranslation('console');
  const steps = useWorkspace((state) => state.run.steps);
  const active = steps.filter((step) => step.status === 'running');
  if (active.length === 0) {
    return (
      <EmptyState icon={<Brain size={19} aria-hidden />} title={t('thinking.emptyTitle')}>
        {t('thinking.empty')}
      </EmptyState>
    );
  }
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by the keyboard
    <div className={styles.thinking} tabIndex={0} data-testid="thinking">
      {active.map((step) => (
        <StepThought key={step.stepId} step={step} />
      ))}
    </div>
  );
}

function StepThought({ step }: { step: StepRun }) {
  const { t } = useTranslation('console');
  const text = useWorkspace((state) => state.run.partial[step.stepId] ?? '');
  const shown = useDeferredValue(text);
  const now = useNow(true, step.startedAt);
  const elapsed = stepElapsedMs(step, now);
  const end = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each new piece of text moves the end
  useEffect(() => {
    end.current?.scrollIntoView({ block: 'nearest' });
  }, [shown]);
  return (
    <article className={styles.step}>
      <header className={styles.head}>
        <RoleTile name={roleIconName(step.role)} hue={roleHue(step.role)} />
        <h2>{step.name}</h2>
        <span className={styles.state}>
          <Spinner size={13} /> {t('thinking.writing')}
        </span>
        <span className={styles.figures}>
          {text && t('thinking.characters', { count: text.length })}
          {elapsed !== null && ` · ${formatDuration(elapsed)}`}
        </span>
      </header>
      {shown ? <LazyMarkdown text={shown} /> : <p className={styles.waiting}>{t('thinking.waiting')}</p>}
      <div ref={end} />
    </article>
  );
}
