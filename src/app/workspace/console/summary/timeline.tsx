import * as m from 'framer-motion/m';
import { useMemo } from 'react';
import { roleHue } from '../../../../model/agents/roles.ts';
import { innermostRound } from '../../../../model/card-view.ts';
import type { RunState } from '../../../../model/workspace-state.ts';
import { useProblemText } from '../../../../ui/i18n/use-problem-text.ts';
import { useTranslation } from '../../../../ui/i18n/use-translation.ts';
import { RoleTile } from '../../../../ui/icons/role-icon.tsx';
import { roleIconName } from '../../../../ui/icons/role-icon-name.ts';
import { timelineBar } from '../../../../ui/motion/transitions.ts';
import { useAppearing } from '../../../../ui/motion/use-appearing.ts';
import { runElapsedMs } from '../../run/run-figures.ts';
import { formatDuration } from '../../time/format-duration.ts';
import { useNow } from '../../time/use-now.ts';
import { excerptBelowHeading } from '../conversation/excerpt.ts';
import { runTimeline, type TimelineRow } from './run-timeline.ts';
import styles from './summary.module.css';

/** The steps' bars on one axis, with the real gaps between them. */
export function Timeline({ run }: { run: RunState }) {
  const { t, language } = useTranslation('console');
  const { steps, execution } = run;
  const ended = run.outcome !== null;
  const startedAt = execution?.startedAt ?? null;
  const now = useNow(!ended);
  const elapsed = runElapsedMs(run, now);
  const timeline = useMemo(() => runTimeline(steps, startedAt, now), [steps, startedAt, now]);
  const tokens = steps.reduce((sum, step) => sum + (step.usage?.totalTokens ?? 0), 0);
  const retries = steps.reduce((sum, step) => sum + Math.max(0, step.attempts - 1), 0);
  const share = (ms: number) => `${(ms / timeline.totalMs) * 100}%`;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by the keyboard
    <div className={styles.timeline} tabIndex={0}>
      <table aria-label={t('summary.timeline')}>
        <thead>
          <tr>
            <th scope="col">{t('summary.stepColumn')}</th>
            <th scope="col" className={styles.axis}>
              {timeline.ticksMs.map((tick) => (
                <span key={tick} style={{ left: share(tick) }}>
                  {formatDuration(tick)}
                </span>
              ))}
            </th>
            <th scope="col">{t('summary.tokens')}</th>
            <th scope="col">{t('summary.duration')}</th>
          </tr>
        </thead>
        <tbody>
          {timeline.rows.map((row) => (
            <tr key={row.step.stepId} data-hue={roleHue(row.step.role)}>
              <th scope="row">
                <span className={styles.who}>
                  <RoleTile name={roleIconName(row.step.role)} hue={roleHue(row.step.role)} size={22} />
                  <span>
                    {row.step.name}
                    {row.step.item ? ` · ${t('summary.item', { number: row.step.item })}` : ''}
                    {row.step.round ? ` · ${t('summary.round', { number: innermostRound(row.step.round) + 1 })}` : ''}
                  </span>
                </span>
              </th>
              <td className={styles.track}>
                {timeline.ticksMs.map((tick) => (
                  <i key={tick} className={styles.tick} style={{ left: share(tick) }} />
                ))}
                <Bar row={row} totalMs={timeline.totalMs} ended={ended} />
              </td>
              <td>{row.step.usage?.totalTokens.toLocaleString(language) ?? '—'}</td>
              <td>{row.startMs === null ? '—' : formatDuration(row.durationMs)}</td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">{t('summary.total')}</th>
            <td className={styles.note}>
              {t('summary.totalNote', { count: steps.length })},{' '}
              {retries > 0 ? t('summary.retries', { count: retries }) : t('summary.noRetries')}
            </td>
            <td>{tokens.toLocaleString(language)}</td>
            <td>{elapsed === null ? '—' : formatDuration(elapsed)}</td>
          </tr>
        </tfoot>
      </table>
    </div>
  );
}

function Bar({ row, totalMs, ended }: { row: TimelineRow; totalMs: number; ended: boolean }) {
  const { t } = useTranslation('console');
  const problemText = useProblemText();
  const appearing = useAppearing(timelineBar);
  const { step } = row;
  if (row.startMs === null) {
    return <span className={styles.note}>{ended ? t('summary.skipped') : t('summary.waiting')}</span>;
  }
  const from = (row.startMs / totalMs) * 100;
  const to = ((row.startMs + row.durationMs) / totalMs) * 100;
  const words = step.error
    ? problemText(step.error)
    : step.status === 'running'
      ? t('summary.working')
      : step.result
        ? excerptBelowHeading(step.result, 90)
        : '';
  // The text is on the side of the bar with more room.
  const after = 100 - to >= from;
  return (
    <>
      <m.span
        {...appearing}
        className={styles.bar}
        data-status={step.status}
        style={{ left: `${from}%`, width: `${Math.max(0.4, to - from)}%`, originX: 0 }}
      />
      <span
        className={styles.words}
        data-failed={step.error ? '' : undefined}
        style={after ? { left: `calc(${to}% + 10px)`, right: 0 } : { right: `calc(${100 - from}% + 10px)`, left: 0, textAlign: 'right' }}
      >
        {words}
      </span>
    </>
  );
}
