import * as m from 'framer-motion/m';
import { useMemo } from 'react';
import type { StepRun } from '../../../../../contract/executions/execution.ts';
import { addCosts } from '../../../../../rules/cost/cost-of.ts';
import { roleHue } from '../../../../model/agents/roles.ts';
import { innermostRound } from '../../../../model/card-view.ts';
import type { RunState } from '../../../../model/workspace-state.ts';
import { IconButton } from '../../../../ui/controls/buttons/icon-button.tsx';
import { clock, durationText } from '../../../../ui/i18n/duration.ts';
import { useProblemText } from '../../../../ui/i18n/use-problem-text.ts';
import { useTranslation } from '../../../../ui/i18n/use-translation.ts';
import { CornerUpLeft, RotateCcw, StepForward } from '../../../../ui/icons/icons.ts';
import { RoleTile } from '../../../../ui/icons/role-icon.tsx';
import { roleIconName } from '../../../../ui/icons/role-icon-name.ts';
import { timelineBar } from '../../../../ui/motion/transitions.ts';
import { useAppearing } from '../../../../ui/motion/use-appearing.ts';
import { useCostText } from '../../budgets/use-cost-text.ts';
import { usePanels } from '../../frame/panels.tsx';
import { useWorkspaceContext } from '../../frame/workspace-context.ts';
import { excerptBelowHeading } from '../../markdown/excerpt.ts';
import { StepMarkSign } from '../../marks/step-mark-badges.tsx';
import { rerunStepOf } from '../../rerun/rerun-step.ts';
import { useContinueStep } from '../../rerun/use-continue-step.ts';
import { useShowOriginal } from '../../rerun/use-show-original.ts';
import { runElapsedMs, runFigures } from '../../run/run-figures.ts';
import { useRunNow } from '../../time/use-run-now.ts';
import { type RunTimeline, runTimeline, type TimelineLane } from './run-timeline.ts';
import styles from './summary.module.css';

/** The cards' lanes on one axis, with the real gaps between the bars. */
export function Timeline({ run }: { run: RunState }) {
  const { t, language } = useTranslation('console');
  const { readOnly, demo } = useWorkspaceContext();
  const { steps, execution } = run;
  const ended = run.outcome !== null;
  const startedAt = execution?.startedAt ?? null;
  const now = useRunNow(!ended);
  const elapsed = runElapsedMs(run, now);
  const timeline = useMemo(() => runTimeline(steps, startedAt, now), [steps, startedAt, now]);
  const tokens = steps.reduce((sum, step) => sum + (step.usage?.totalTokens ?? 0), 0);
  const { cost, marks, total } = runFigures(run);
  const costText = useCostText();
  const retries = steps.reduce((sum, step) => sum + Math.max(0, step.attempts - 1), 0);
  const share = (ms: number) => `${(ms / timeline.totalMs) * 100}%`;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by the keyboard
    <div className={styles.timeline} tabIndex={0}>
      <table aria-label={t('summary.timeline')} data-marked={marks.length > 0 || undefined}>
        <thead>
          <tr>
            <th scope="col">{t('summary.stepColumn')}</th>
            <th scope="col" className={styles.axis}>
              {timeline.ticksMs.map((tick) => (
                <span key={tick} style={{ left: share(tick) }}>
                  {timeline.totalMs < 1_000 ? durationText(tick, language) : clock(tick)}
                </span>
              ))}
            </th>
            <th scope="col">{t('words:tokens')}</th>
            <th scope="col">{t('words:cost')}</th>
            <th scope="col">{t('summary.duration')}</th>
          </tr>
        </thead>
        <tbody>
          {timeline.lanes.map((lane) => (
            <Lane
              key={lane.id}
              lane={lane}
              timeline={timeline}
              ended={ended}
              executionId={ended && (!readOnly || demo) ? (execution?.id ?? null) : null}
            />
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">{t('words:total')}</th>
            <td className={styles.note}>
              {t('summary.totalNote', { count: total })}, {retries > 0 ? t('summary.retries', { count: retries }) : t('summary.noRetries')}
            </td>
            <td>{tokens.toLocaleString(language)}</td>
            <td>{costText(cost)}</td>
            <td>{elapsed === null ? '—' : durationText(elapsed, language)}</td>
          </tr>
        </tfoot>
      </table>
    </div>
  );
}

/** A card's row: its runs on one axis, and what they took together. */
function Lane({
  lane: { bars, lines },
  timeline: { totalMs, ticksMs },
  ended,
  executionId,
}: {
  lane: TimelineLane;
  timeline: RunTimeline;
  ended: boolean;
  /** Of a run that can run again. */
  executionId: string | null;
}) {
  const { t, language } = useTranslation('console');
  const first = bars[0] as TimelineBar;
  const begun = bars.filter(({ startMs }) => startMs !== null);
  const used = bars.flatMap(({ step }) => step.usage?.totalTokens ?? []);
  const costs = bars.flatMap(({ step }) => step.cost ?? []);
  const costText = useCostText();
  const items = new Set(bars.flatMap(({ step }) => step.item || [])).size;
  const rounds = Math.max(...bars.map(({ step }) => innermostRound(step.round ?? 0))) + 1;
  const repeated = [items > 0 && t('summary.items', { count: items }), rounds > 1 && t('summary.rounds', { count: rounds })].filter(
    Boolean,
  );
  return (
    <tr data-hue={roleHue(first.step.role)} data-testid="lane">
      <th scope="row">
        <span className={styles.who}>
          <RoleTile name={roleIconName(first.step.role)} hue={roleHue(first.step.role)} size={22} />
          <span>{[first.step.name, ...repeated].join(' · ')}</span>
          <KeptButton step={begun.at(-1)?.step ?? first.step} />
          <StepMarkSign marks={(begun.at(-1)?.step ?? first.step).marks} />
          {executionId && <ContinueButton executionId={executionId} step={begun.at(-1)?.step ?? first.step} />}
          {executionId && begun.length > 0 && <RerunButton executionId={executionId} step={begun.at(-1)?.step ?? first.step} />}
        </span>
      </th>
      <td className={styles.track}>
        {ticksMs.map((tick) => (
          <i key={tick} className={styles.tick} style={{ left: `${(tick / totalMs) * 100}%` }} />
        ))}
        {begun.length === 0 && <span className={styles.note}>{ended ? t('summary.skipped') : t('summary.waiting')}</span>}
        {begun.map((bar) => (
          <Bar key={bar.step.stepId} bar={bar} totalMs={totalMs} lines={Math.min(lines, maxLines)} isAlone={bars.length === 1} />
        ))}
      </td>
      <td>{used.length === 0 ? '—' : used.reduce((sum, tokens) => sum + tokens, 0).toLocaleString(language)}</td>
      <td>{costs.length === 0 ? '—' : costText(addCosts(costs))}</td>
      <td>
        {begun.length === 0
          ? '—'
          : durationText(
              begun.reduce((sum, { durationMs }) => sum + durationMs, 0),
              language,
            )}
      </td>
    </tr>
  );
}

/** Of a lane whose newest result was kept from an earlier run: opens that run. */
function KeptButton({ step }: { step: StepRun }) {
  const { t } = useTranslation('rerun');
  const showOriginal = useShowOriginal(step);
  if (showOriginal === undefined) return null;
  return (
    <IconButton
      size={28}
      label={`${step.name}: ${t(showOriginal === null ? 'keptFromRemoved' : 'keptFrom')}`}
      disabled={showOriginal === null}
      icon={<CornerUpLeft size={14} />}
      onClick={() => showOriginal?.()}
    />
  );
}

/** Of a lane whose newest result is cut off: goes on with its text at once. */
function ContinueButton({ executionId, step }: { executionId: string; step: StepRun }) {
  const { t } = useTranslation('rerun');
  const continueStep = useContinueStep(executionId, step);
  if (!continueStep) return null;
  const label = t('continueFrom', { name: step.name });
  return <IconButton size={28} label={label} icon={<StepForward size={14} />} onClick={continueStep} />;
}

/** Opens the choice to run again from a lane's newest run. */
function RerunButton({ executionId, step }: { executionId: string; step: StepRun }) {
  const { t } = useTranslation('rerun');
  const { show } = usePanels();
  return (
    <IconButton
      size={28}
      label={t('title.from', { name: step.name })}
      icon={<RotateCcw size={14} />}
      onClick={() => show({ compare: null, rerun: { executionId, mode: 'from', step: rerunStepOf(step) } })}
    />
  );
}

type TimelineBar = TimelineLane['bars'][number];

/** The height of a lane's bars together (px), and how many of them can be told apart in it. */
const barsHeight = 20;
const maxLines = 5;

/** A run's bar. The text is beside the only bar of its lane; those of a lane with several say which run they are. */
function Bar({ bar, totalMs, lines, isAlone }: { bar: TimelineBar; totalMs: number; lines: number; isAlone: boolean }) {
  const { t, language } = useTranslation('console');
  const problemText = useProblemText();
  const appearing = useAppearing(timelineBar);
  const { step, startMs, durationMs, line } = bar;
  const from = ((startMs ?? 0) / totalMs) * 100;
  const to = (((startMs ?? 0) + durationMs) / totalMs) * 100;
  const height = barsHeight / lines;
  const outcome = step.error
    ? problemText(step.error)
    : step.status === 'running'
      ? t('summary.working')
      : step.result
        ? excerptBelowHeading(step.result, 90)
        : '';
  const which = [
    ...(step.item ? [t('summary.item', { number: step.item })] : []),
    ...(step.round ? [t('summary.round', { number: innermostRound(step.round) + 1 })] : []),
    durationText(durationMs, language),
    ...(step.toolUse ? [t('summary.calls', { count: step.toolUse.calls })] : []),
  ].join(' · ');
  // The text is on the side of the bar with more room.
  const after = 100 - to >= from;
  return (
    <>
      <m.span
        {...appearing}
        className={styles.bar}
        data-status={step.status}
        title={isAlone ? undefined : which}
        style={{
          left: `${from}%`,
          width: `${Math.max(0.4, to - from)}%`,
          originX: 0,
          ...(lines > 1 && { top: 10 + (line % maxLines) * height, height: height - 1, borderRadius: 2 }),
        }}
      />
      {isAlone ? (
        <span
          className={styles.words}
          data-failed={step.error ? '' : undefined}
          style={after ? { left: `calc(${to}% + 10px)`, right: 0 } : { right: `calc(${100 - from}% + 10px)`, left: 0, textAlign: 'right' }}
        >
          {outcome}
        </span>
      ) : (
        <span className="visually-hidden">{`${[which, outcome].filter(Boolean).join(': ')}. `}</span>
      )}
    </>
  );
}
