import { useEffect, useMemo, useRef, useState } from 'react';
import type { Cost } from '../../../../contract/cost.ts';
import type { ComparedSide, ComparedStep } from '../../../../contract/executions/compare.ts';
import type { Execution } from '../../../../contract/executions/execution.ts';
import { innermostRound } from '../../../model/card-view.ts';
import type { Problem } from '../../../model/problem.ts';
import { wordDifferences } from '../../../model/versions/word-differences.ts';
import { Button } from '../../../ui/controls/buttons/button.tsx';
import { IconButton } from '../../../ui/controls/buttons/icon-button.tsx';
import { useProblemText } from '../../../ui/i18n/use-problem-text.ts';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import { X } from '../../../ui/icons/icons.ts';
import { useDispatch, useRead } from '../../../workers/bridge/use-workspace.ts';
import { useCostText } from '../budgets/use-cost-text.ts';
import { shortRequest } from '../history/short-message.ts';
import { useRemoteData } from '../lists/use-remote-data.ts';
import { SimulatedBadge } from '../marks/simulated-badge.tsx';
import panel from '../panel.module.css';
import { type CompareTarget, usePanels } from '../panels.tsx';
import { formatDuration } from '../time/format-duration.ts';
import { useDayText } from '../time/use-day-text.ts';
import styles from './rerun.module.css';
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
      data-testid="compare"
      onKeyDown={(event) => event.key === 'Escape' && close()}
    >
      <header>
        <h2>{title}</h2>
        <IconButton label={t(target.kind === 'tried' ? 'closeTried' : 'close')} size={32} icon={<X size={18} />} onClick={close} />
      </header>
      {target.kind === 'runs' ? (
        <TwoRuns key={`${target.left} ${target.right}`} {...target} />
      ) : (
        <Tried key={target.runs.map((run) => run.executionId).join()} {...target} onClose={close} />
      )}
    </aside>
  );
}

const order = ['changed', 'added', 'removed', 'kept'] as const;

function TwoRuns({ left, right }: { left: string; right: string }) {
  const { t, language } = useTranslation('rerun');
  const problemText = useProblemText();
  const { value, problem, loading } = useRemoteData('compareRuns', [left, right], `${left} ${right}`);
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
        <strong>{t('totalsOf')}</strong>
        {(['left', 'right'] as const).map((side) => (
          <span key={side}>
            <small>{t(side)}</small>
            {[
              t('figures', {
                tokens: value.totals[side].tokens.toLocaleString(language),
                time: formatDuration(value.totals[side].durationMs),
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

/** Writes what was paid; empty for nothing, as simulated runs cost. */
function usePaid(): (cost: Cost) => string {
  const costText = useCostText();
  return (cost) => (cost.amounts.length > 0 || cost.isUnknown ? costText(cost) : '');
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
      <Side side={left} label={t('left')} />
      <Side side={right} label={t('right')} />
      {state === 'changed' && left && right && (
        <details open={open} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
          <summary>{t('words')}</summary>
          {open && <Words left={[runs.left, left.stepId]} right={[runs.right, right.stepId]} />}
        </details>
      )}
    </li>
  );
}

function Side({ side, label }: { side: ComparedSide | null; label: string }) {
  const { t, language } = useTranslation('rerun');
  const paid = usePaid();
  const cost = side?.cost ? paid(side.cost) : '';
  return (
    <span>
      <small>{label}</small>
      {side === null
        ? '—'
        : side.status === 'reused'
          ? t(side.isEdited ? 'edited' : 'keptMark')
          : [
              t('figures', {
                tokens: (side.tokens ?? 0).toLocaleString(language),
                time: side.durationMs === null ? '—' : formatDuration(side.durationMs),
              }),
              cost,
              // The badge says so in words.
              side.simulated ? '' : (side.model ?? ''),
            ]
              .filter(Boolean)
              .join(' · ')}{' '}
      {side?.simulated && side.status !== 'reused' && <SimulatedBadge />}
    </span>
  );
}

/** The later result, with the words that were added and removed. */
function Words({ left, right }: { left: [string, string]; right: [string, string] }) {
  const { t } = useTranslation('rerun');
  const problemText = useProblemText();
  const before = useRemoteData('readStep', left, left.join(' '));
  const after = useRemoteData('readStep', right, right.join(' '));
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

/** How often a step that is tried is read until it has ended (ms). */
const triedPollMs = 1_500;

type TriedProps = Omit<Extract<CompareTarget, { kind: 'tried' }>, 'kind' | 'name'> & { onClose: () => void };

/** The results of one step by the original model and by others, beside each other. */
function Tried({ original, step, runs, onClose }: TriedProps) {
  const { t } = useTranslation('rerun');
  const dispatch = useDispatch();
  const problemText = useProblemText();
  const [problem, setProblem] = useState<Problem | null>(null);
  /** The runs wait paused: without a choice they would wait for ever, so closing the panel stops them. */
  const undecided = useRef<string[]>(runs.map((run) => run.executionId));
  const leaving = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => {
    clearTimeout(leaving.current);
    return () => {
      // A moment later: strict mode removes each component once and puts it back.
      leaving.current = setTimeout(() => {
        if (undecided.current.length > 0) void dispatch({ type: 'run.chooseTried', executionId: null, others: undecided.current });
      });
    };
  }, [dispatch]);
  const choose = async (executionId: string | null) => {
    const others = runs.flatMap((run) => (run.executionId === executionId ? [] : run.executionId));
    const outcome = await dispatch({ type: 'run.chooseTried', executionId, others });
    if (!outcome.ok) {
      setProblem(outcome.error);
      return;
    }
    undecided.current = [];
    onClose();
  };
  const before = useRemoteData('readStep', [original, step.stepId], `${original} ${step.stepId}`);
  return (
    <>
      <div className={styles.columns}>
        <article>
          <h3>{[t('original'), before.value?.simulated ? '' : before.value?.model].filter(Boolean).join(' · ')}</h3>
          {before.problem && <p className={styles.problem}>{problemText(before.problem)}</p>}
          {before.value?.simulated && <SimulatedBadge />}
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by the keyboard */}
          <div className={styles.words} tabIndex={0}>
            {before.value?.result ?? ''}
          </div>
        </article>
        {runs.map((run) => (
          <TriedRun key={run.executionId} original={original} run={run} onChoose={() => void choose(run.executionId)} />
        ))}
      </div>
      {problem && (
        <p className={styles.problem} role="alert">
          {problemText(problem)}
        </p>
      )}
      <div className={styles.actions}>
        <Button size="s" variant="ghost" onClick={() => void choose(null)}>
          {t('stopAll')}
        </Button>
      </div>
    </>
  );
}

function TriedRun({ original, run, onChoose }: { original: string; run: { executionId: string; model: string }; onChoose: () => void }) {
  const { t } = useTranslation('rerun');
  const read = useRead();
  const problemText = useProblemText();
  const [tick, setTick] = useState(0);
  const compared = useRemoteData('compareRuns', [original, run.executionId], `${run.executionId} ${tick}`, run.executionId);
  const side = compared.value?.steps.find(({ right }) => right && right.status !== 'reused' && right.status !== 'pending')?.right ?? null;
  const status = compared.value?.right.status;
  const isOver = status === 'paused' || status === 'completed' || status === 'failed' || status === 'cancelled';
  const stepId = isOver ? side?.stepId : undefined;
  useEffect(() => {
    if (isOver) return;
    const timer = setInterval(() => setTick((count) => count + 1), triedPollMs);
    return () => clearInterval(timer);
  }, [isOver]);
  const [text, setText] = useState<string | null>(null);
  useEffect(() => {
    if (stepId === undefined) return;
    void read('readStep', run.executionId, stepId).then((answer) => {
      setText(answer.ok ? (answer.value.result ?? answer.value.error?.message ?? '') : problemText(answer.error));
    });
  }, [read, run.executionId, stepId, problemText]);
  return (
    <article data-testid="tried-run">
      <p className="visually-hidden" role="status">
        {text === null ? '' : t('triedDone', { model: run.model })}
      </p>
      <h3>{run.model}</h3>
      {side && (
        <p className={styles.summary}>
          <Side side={side} label="" />
        </p>
      )}
      {compared.problem && <p className={styles.problem}>{problemText(compared.problem)}</p>}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by the keyboard */}
      <div className={styles.words} tabIndex={0}>
        {text ?? t('working')}
      </div>
      <Button size="s" disabled={text === null} onClick={onChoose}>
        {t('choose')}
      </Button>
    </article>
  );
}
