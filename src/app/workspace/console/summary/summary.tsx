import { memo, useState } from 'react';
import type { RunState } from '../../../../model/workspace-state.ts';
import { Button } from '../../../../ui/controls/buttons/button.tsx';
import { durationText } from '../../../../ui/i18n/duration.ts';
import { useProblemText } from '../../../../ui/i18n/use-problem-text.ts';
import { useTranslation } from '../../../../ui/i18n/use-translation.ts';
import { ChartColumn, FileText } from '../../../../ui/icons/icons.ts';
import { useCostText } from '../../budgets/use-cost-text.ts';
import { EmptyState } from '../../lists/empty-state.tsx';
import { OutcomeGlyph, type Outcome as OutcomeName } from '../../marks/outcome-glyph.tsx';
import { SimulatedBadge } from '../../marks/simulated-badge.tsx';
import { StepMarkBadges } from '../../marks/step-mark-badges.tsx';
import { runActiveMs, runElapsedMs, runFigures } from '../../run/run-figures.ts';
import { useShownRun } from '../../run/use-shown-run.ts';
import { useDayText } from '../../time/use-day-text.ts';
import { useRunNow } from '../../time/use-run-now.ts';
import { ResultDialog } from '../../windows/result-dialog.tsx';
import styles from './summary.module.css';
import { Timeline } from './timeline.tsx';

/** The summary of a run: outcome, time, tokens, and each step on one axis. */
export const Summary = memo(SummaryNow);

function SummaryNow() {
  const { t } = useTranslation('console');
  const run = useShownRun();
  if (run.steps.length === 0) {
    return (
      <EmptyState icon={<ChartColumn size={19} aria-hidden />} title={t('summary.emptyTitle')}>
        {t('summary.empty')}
      </EmptyState>
    );
  }
  return (
    <div className={styles.summary} data-testid="summary">
      <Outcome run={run} />
      <Timeline run={run} />
    </div>
  );
}

function Outcome({ run }: { run: RunState }) {
  const { t, language } = useTranslation('console');
  const problemText = useProblemText();
  const dayText = useDayText();
  const [reading, setReading] = useState(false);
  const now = useRunNow(run.outcome === null, run.execution?.startedAt);
  const costText = useCostText();
  const figures = runFigures(run);
  const elapsed = runElapsedMs(run, now);
  const active = runActiveMs(run, now);
  const state = run.outcome ?? (run.phase === 'stopped' ? 'running' : run.phase);
  const at = run.execution?.completedAt ?? run.execution?.failedAt ?? run.execution?.startedAt ?? null;
  const task = run.execution?.initialTask.trim() ?? '';
  const result = run.execution?.result?.trim() ?? '';
  const failure = run.error ?? run.execution?.error ?? null;
  return (
    <div className={styles.outcome}>
      <p className={styles.state} data-state={state}>
        <OutcomeGlyph outcome={glyphOf(state)} />
        <strong>{t(run.execution?.limited && state === 'completed' ? 'summary.limited' : `summary.${state}`)}</strong>
        {at && <span>· {dayText(at)}</span>}
        {figures.simulated && <SimulatedBadge />}
        <StepMarkBadges marks={figures.marks} />
      </p>
      {task && (
        <h2 className={styles.task} title={task}>
          {task}
        </h2>
      )}
      <dl className={styles.figures}>
        <div>
          <dd>{active === null ? '—' : durationText(active, language)}</dd>
          <dt>{t('summary.active')}</dt>
        </div>
        <div>
          <dd>{elapsed === null ? '—' : durationText(elapsed, language)}</dd>
          <dt>{t('summary.elapsed')}</dt>
        </div>
        <div>
          <dd>{figures.totalTokens.toLocaleString(language)}</dd>
          <dt>{t('words:tokens')}</dt>
        </div>
        <div>
          <dd className={styles.cost}>{costText(figures.cost)}</dd>
          <dt>{t('words:cost')}</dt>
        </div>
        <div>
          <dd>
            {figures.done}/{figures.total}
          </dd>
          <dt>{t('words:steps')}</dt>
        </div>
      </dl>
      {failure && run.outcome === 'failed' && (
        <p className={styles.failure} role="status">
          {problemText(failure)}
        </p>
      )}
      {result && (
        <div className={styles.action}>
          <Button variant="primary" size="s" wide icon={<FileText size={15} aria-hidden />} onClick={() => setReading(true)}>
            {t('words:readResult')}
          </Button>
        </div>
      )}
      <ResultDialog
        open={reading}
        title={task || t('words:result')}
        text={result}
        simulated={figures.simulated}
        marks={figures.marks}
        onClose={() => setReading(false)}
      />
    </div>
  );
}

function glyphOf(state: OutcomeName | 'running' | 'starting' | 'pausing' | 'stopping'): OutcomeName {
  switch (state) {
    case 'running':
    case 'starting':
    case 'stopping':
      return 'processing';
    case 'pausing':
      return 'paused';
    default:
      return state;
  }
}
