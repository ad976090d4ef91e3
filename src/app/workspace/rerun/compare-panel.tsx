import { useMemo, useState } from 'react';
import type { ComparedStep } from '../../../../contract/executions/compare.ts';
import type { Execution } from '../../../../contract/executions/execution.ts';
import { innermostRound } from '../../../model/card-view.ts';
import { wordDifferences } from '../../../model/versions/word-differences.ts';
import { IconButton } from '../../../ui/controls/buttons/icon-button.tsx';
import { durationText } from '../../../ui/i18n/duration.ts';
import { useProblemText } from '../../../ui/i18n/use-problem-text.ts';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import { X } from '../../../ui/icons/icons.ts';
import { useRead } from '../../server-data/use-read.ts';
import { type CompareTarget, usePanels } from '../frame/panels.tsx';
import { shortRequest } from '../history/short-message.ts';
import panel from '../panel.module.css';
import { useDayText } from '../time/use-day-text.ts';
import styles from './rerun.module.css';
import { SideFigures, usePaid } from './side-figures.tsx';
import { TriedStep } from './tried-step.tsx';
import { useFocusOnOpen } from './use-focus-on-open.ts';
import { useTints } from './use-tints.ts';

/** Two runs step by step beside the canvas, or the results of one step by several models. */
export function ComparePanel({ target }: { target: CompareTarget }) {
  const { t } = useTranslation('rerun');
  const { show } = usePanels();
  const frame = useFocusOnOpen();
  const title = target.kind === 'runs' ? t('compareTitle') : t('triedTitle', { name: target.name });
  const close = () => show({ compare: null });
  return (
    <aside
      className={`${panel.panel} ${styles.compare}`}
      ref={frame}
      tabIndex={-1}
      aria-label={title}
      data-panel
      data-kind={target.kind}
      data-testid="compare"
      onKeyDown={(event) => event.key === 'Escape' && close()}
    >
      <header>
        <h2>{title}</h2>
        <IconButton label={t(target.kind === 'tried' ? 'closeTried' : 'common:close')} size={32} icon={<X size={18} />} onClick={close} />
      </header>
      {target.kind === 'runs' ? (
        <TwoRuns key={`${target.left} ${target.right}`} {...target} />
      ) : (
        <TriedStep key={target.runs.map((run) => run.executionId).join()} {...target} onClose={close} />
      )}
    </aside>
  );
}

const order = ['changed', 'added', 'removed', 'kept'] as const;

function TwoRuns({ left, right }: { left: string; right: string }) {
  const { t, language } = useTranslation('rerun');
  const problemText = useProblemText();
  const { value, problem, loading } = useRead('execution.compare', { query: { left, right } });
  const paid = usePaid();
  const tints = useMemo(
    () => value?.steps.map(({ nodeId, state }) => ({ nodeId, tint: state === 'same' ? ('kept' as const) : state })) ?? null,
    [value],
  );
  useTints(tints, order);
  if (problem) return <p className={styles.problem}>{problemText(problem)}</p>;
  if (!value) return <p className={styles.summary}>{loading ? t('loadingCompare') : ''}</p>;
  return (
    <ul className={styles.pairs}>
      <li className={styles.pair}>
        {(['left', 'right'] as const).map((side) => (
          <WhichRun key={side} label={t(side)} run={value[side]} />
        ))}
      </li>
      <li className={styles.pair}>
        <strong>{t('words:total')}</strong>
        {(['left', 'right'] as const).map((side) => (
          <span key={side}>
            <small>{t(side)}</small>
            {[
              t('figures', {
                tokens: value.totals[side].tokens.toLocaleString(language),
                time: durationText(value.totals[side].durationMs, language),
              }),
              paid(value.totals[side].cost),
            ]
              .filter(Boolean)
              .join(' · ')}
          </span>
        ))}
      </li>
      {value.steps.map((step) => (
        <Pair key={`${step.nodeId} ${step.left?.stepId} ${step.right?.stepId}`} step={step} runs={{ left, right }} />
      ))}
    </ul>
  );
}

/** Which of two runs a side shows: its task, and when it began. */
function WhichRun({ label, run: { initialTask, startedAt, createdAt } }: { label: string; run: Execution }) {
  const dayText = useDayText();
  return (
    <span>
      <small>{`${label} · ${dayText(startedAt ?? createdAt)}`}</small>
      <span>{shortRequest(initialTask)}</span>
    </span>
  );
}

function Pair({ step, runs }: { step: ComparedStep; runs: { left: string; right: string } }) {
  const { t } = useTranslation('rerun');
  const { name, round, item, state, left, right } = step;
  const [open, setOpen] = useState(false);
  return (
    <li className={styles.pair} data-tint={state === 'same' ? 'kept' : state} data-testid="compared-step">
      <strong>
        {name}
        {round > 0 && ` · ${t('run', { round: innermostRound(round) + 1 })}`}
        {item > 0 && ` · ${t('item', { item })}`}
        <em>{t(`compared.${state}`)}</em>
      </strong>
      <SideFigures side={left} label={t('left')} />
      <SideFigures side={right} label={t('right')} />
      {state === 'changed' && left && right && (
        <details open={open} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
          <summary>{t('words')}</summary>
          {open && <Words left={{ id: runs.left, stepId: left.stepId }} right={{ id: runs.right, stepId: right.stepId }} />}
        </details>
      )}
    </li>
  );
}

/** The later result, with the words that were added and removed. */
function Words({ left, right }: Record<'left' | 'right', { id: string; stepId: string }>) {
  const { t } = useTranslation('rerun');
  const problemText = useProblemText();
  const before = useRead('execution.step', { params: left });
  const after = useRead('execution.step', { params: right });
  const parts = useMemo(
    () => (before.value && after.value ? wordDifferences(before.value.result ?? '', after.value.result ?? '') : null),
    [before.value, after.value],
  );
  const problem = before.problem ?? after.problem;
  if (problem) return <p className={styles.problem}>{problemText(problem)}</p>;
  if (!parts) return <p className={styles.summary}>{t('loadingCompare')}</p>;
  let at = 0;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by the keyboard
    <div className={styles.words} tabIndex={0} data-testid="words">
      {parts.map(({ kind, text }) => {
        at += text.length;
        if (kind === 'same') return <span key={`${at} same`}>{text}</span>;
        return kind === 'added' ? <ins key={`${at} added`}>{text}</ins> : <del key={`${at} removed`}>{text}</del>;
      })}
    </div>
  );
}
