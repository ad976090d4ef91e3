import type { LucideIcon } from 'lucide-react/types';
import { type PointerEvent, useEffect, useRef } from 'react';
import { throttle } from '../../../../async/throttle.ts';
import type { ReplayMarkKind, ReplayState, SpentAt } from '../../../model/workspace-state.ts';
import { clock } from '../../../ui/i18n/duration.ts';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import { CircleQuestionMark, CircleX, Coins, PencilLine } from '../../../ui/icons/icons.ts';
import { pageClock } from '../../../ui/page-clock.ts';
import { useDispatch } from '../../../workers/bridge/use-workspace.ts';
import styles from './replay.module.css';

const markIcons: Record<ReplayMarkKind, LucideIcon> = {
  failure: CircleX,
  question: CircleQuestionMark,
  edit: PencilLine,
  cost: Coins,
};
/** So close to an end of the axis a pointer means the end (CSS px). */
const endPx = 6;
/** A drag seeks at most once in so many ms. */
const seekEveryMs = 33;

/** The axis of a replay: what was spent along it, its marks, and the playhead. `event`: what has happened last, in words. */
export function ReplayTrack({ replay, event }: { replay: ReplayState; event: string }) {
  const { t } = useTranslation('replay');
  const dispatch = useDispatch();
  const head = usePlayhead(replay);
  const { durationMs, placeMs, marks, spent } = replay;
  const share = (ms: number) => `${durationMs === 0 ? 0 : (ms / durationMs) * 100}%`;
  const drag = useDrag(durationMs);
  return (
    <div className={styles.axis}>
      <div
        className={styles.track}
        role="slider"
        tabIndex={0}
        aria-label={t('position')}
        aria-valuemin={0}
        aria-valuemax={Math.round(durationMs)}
        aria-valuenow={Math.round(placeMs)}
        aria-valuetext={t('place', { time: clock(placeMs), total: clock(durationMs), event })}
        aria-description={t('keys')}
        data-testid="replay-track"
        {...drag}
      >
        <span className={styles.rail} />
        <SpentCurve spent={spent} durationMs={durationMs} />
        <span ref={head} className={styles.head} />
      </div>
      {marks.map((mark) => {
        const Icon = markIcons[mark.kind];
        const label = t(`mark.${mark.kind}`, { count: mark.count, title: mark.title });
        return (
          <button
            key={`${mark.kind}${mark.event}`}
            type="button"
            // The arrow keys with Shift go from mark to mark.
            tabIndex={-1}
            className={styles.mark}
            data-kind={mark.kind}
            style={{ left: share(mark.placeMs) }}
            title={label}
            aria-label={label}
            onClick={() => void dispatch({ type: 'replay.seek', to: { event: mark.event } })}
          >
            <Icon size={12} aria-hidden />
          </button>
        );
      })}
    </div>
  );
}

/** The sum of what was spent, as a filled curve of steps. */
function SpentCurve({ spent, durationMs }: { spent: readonly SpentAt[]; durationMs: number }) {
  const all = spent.at(-1)?.amount ?? 0;
  if (all === 0 || durationMs === 0) return null;
  let path = 'M0 100';
  for (const { placeMs, amount } of spent)
    path += `H${((placeMs / durationMs) * 100).toFixed(2)}V${(100 - (amount / all) * 100).toFixed(1)}`;
  return (
    <svg className={styles.spent} viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden>
      <path d={`${path}H100V100Z`} />
    </svg>
  );
}

/** Moves the playhead between the moments that the engine shows. */
function usePlayhead({ playing, placeMs, durationMs, speed }: ReplayState) {
  const head = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    const put = (ms: number) => {
      const share = durationMs === 0 ? 0 : Math.min(Math.max(0, ms / durationMs), 1);
      head.current?.style.setProperty('left', `${share * 100}%`);
    };
    if (!playing) {
      put(placeMs);
      return;
    }
    let frame = 0;
    const move = () => {
      put(playing.fromMs + playing.direction * (Date.now() - playing.since) * speed);
      frame = requestAnimationFrame(move);
    };
    move();
    return () => cancelAnimationFrame(frame);
  }, [playing, placeMs, durationMs, speed]);
  return head;
}

/** Seeks while the pointer is down. */
function useDrag(durationMs: number) {
  const dispatch = useDispatch();
  const place = useRef(0);
  const seek = useRef(
    throttle(() => void dispatch({ type: 'replay.seek', to: { placeMs: place.current } }), { ms: seekEveryMs, later: pageClock.later }),
  );
  const follow = ({ currentTarget, clientX }: PointerEvent<HTMLElement>) => {
    const { left, width } = currentTarget.getBoundingClientRect();
    const past = clientX - left;
    place.current = past > width - endPx ? durationMs : past < endPx ? 0 : (past / width) * durationMs;
    seek.current();
  };
  return {
    onPointerDown: (event: PointerEvent<HTMLElement>) => {
      if (event.button !== 0) return;
      event.currentTarget.setPointerCapture(event.pointerId);
      follow(event);
    },
    onPointerMove: (event: PointerEvent<HTMLElement>) => {
      if (event.currentTarget.hasPointerCapture(event.pointerId)) follow(event);
    },
    onPointerUp: () => seek.current.flush(),
  };
}
