import { useReducedMotion } from 'framer-motion';
import { replaySpeeds } from '../../../model/commands.ts';
import { consoleMessages } from '../../../model/console/console-pages.ts';
import type { ReplayState } from '../../../model/workspace-state.ts';
import { Button } from '../../../ui/controls/buttons/button.tsx';
import { IconButton } from '../../../ui/controls/buttons/icon-button.tsx';
import { Menu, MenuItem } from '../../../ui/controls/overlays/menu.tsx';
import { Spinner } from '../../../ui/controls/spinner.tsx';
import { clock } from '../../../ui/i18n/duration.ts';
import { useProblemText } from '../../../ui/i18n/use-problem-text.ts';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import { FoldHorizontal, Pause, Play, StepBack, StepForward, X } from '../../../ui/icons/icons.ts';
import { useDispatch, useWorkspace } from '../../../workers/bridge/use-workspace.ts';
import { excerptBelowHeading } from '../markdown/excerpt.ts';
import panel from '../panel.module.css';
import styles from './replay.module.css';
import { ReplayTrack } from './replay-track.tsx';
import { useReplayKeys } from './use-replay-keys.ts';

/** The controls of an open replay, in the place of the run control. */
export function ReplayBar() {
  const { t } = useTranslation('replay');
  const replay = useWorkspace((state) => state.replay);
  const steps = useReducedMotion() === true;
  useReplayKeys(steps);
  if (!replay) return null;
  return (
    <section className={`${panel.panel} ${styles.bar}`} aria-label={t('label')} data-panel data-testid="replay" data-status={replay.status}>
      {replay.status === 'ready' ? <Controls replay={replay} steps={steps} /> : <NotReady replay={replay} />}
    </section>
  );
}

function NotReady({ replay: { error, read, total } }: { replay: ReplayState }) {
  const { t, language } = useTranslation('replay');
  const problemText = useProblemText();
  const text = (count: number) => count.toLocaleString(language);
  return (
    <div className={styles.row}>
      {error ? (
        <p className={styles.problem} role="alert">
          {problemText(error)}
        </p>
      ) : (
        <p className={styles.event} role="status">
          <Spinner size={16} />
          {total > 0 ? t('readingPart', { read: text(read), total: text(total) }) : t('reading')}
        </p>
      )}
      <CloseButton isUnderWay={false} />
    </div>
  );
}

/** `steps`: nothing moves by itself; the main button goes to the next event. */
function Controls({ replay, steps }: { replay: ReplayState; steps: boolean }) {
  const { t } = useTranslation('replay');
  const dispatch = useDispatch();
  const event = useLastEvent();
  const { playing, speed, cutsIdle, placeMs, durationMs, isUnderWay } = replay;
  const step = (events: 1 | -1) => void dispatch({ type: 'replay.seek', to: { events } });
  return (
    <>
      <div className={styles.row}>
        <IconButton
          size={32}
          label={t('back')}
          shortcut="←"
          tooltipSide="top"
          icon={<StepBack size={16} />}
          disabled={replay.event === 0}
          onClick={() => step(-1)}
        />
        {!steps && (
          <Button
            variant="primary"
            className={styles.play}
            icon={playing ? <Pause size={16} aria-hidden /> : <Play size={16} aria-hidden />}
            aria-label={playing ? t('common:pause') : t('play')}
            title={playing ? 'K' : 'L'}
            onClick={() => void dispatch(playing ? { type: 'replay.pause' } : { type: 'replay.play', direction: 1, speed })}
          />
        )}
        <IconButton
          size={32}
          label={t('forward')}
          shortcut="→"
          tooltipSide="top"
          icon={<StepForward size={16} />}
          disabled={replay.event === replay.total}
          onClick={() => step(1)}
        />
        <p className={styles.event} data-testid="replay-event">
          {event}
        </p>
        {replay.document && (
          <span className={styles.then} title={t('canvasThenHint')} data-testid="canvas-then">
            {t('canvasThen')}
          </span>
        )}
        <span className={styles.time} data-testid="replay-time">
          {clock(placeMs)} / {clock(durationMs)}
        </span>
        {!steps && <SpeedMenu replay={replay} />}
        <IconButton
          size={32}
          pressed={cutsIdle}
          label={t('cutIdle')}
          tooltipSide="top"
          icon={<FoldHorizontal size={16} />}
          onClick={() => void dispatch({ type: 'replay.cutIdle', cutsIdle: !cutsIdle })}
        />
        <CloseButton isUnderWay={isUnderWay} />
      </div>
      <ReplayTrack replay={replay} event={event} />
    </>
  );
}

function SpeedMenu({ replay: { playing, speed } }: { replay: ReplayState }) {
  const { t } = useTranslation('replay');
  const dispatch = useDispatch();
  return (
    <Menu
      side="top"
      align="center"
      trigger={
        <button type="button" className={styles.speed} aria-label={`${t('speed')}: ${t('speedValue', { speed })}`}>
          {t('speedValue', { speed })}
        </button>
      }
    >
      {replaySpeeds.map((value) => (
        <MenuItem
          key={value}
          chosen={value === speed}
          onSelect={() => void dispatch({ type: 'replay.play', direction: playing?.direction ?? 1, speed: value })}
        >
          {t('speedValue', { speed: value })}
        </MenuItem>
      ))}
    </Menu>
  );
}

/** Back to the present; of a run that is still under way, by name. */
function CloseButton({ isUnderWay }: { isUnderWay: boolean }) {
  const { t } = useTranslation('replay');
  const dispatch = useDispatch();
  const close = () => void dispatch({ type: 'replay.close' });
  if (isUnderWay)
    return (
      <button type="button" className={styles.present} onClick={close} title={t('close')}>
        <i aria-hidden />
        {t('present')}
      </button>
    );
  return <IconButton size={32} label={t('close')} tooltipSide="top" icon={<X size={16} />} onClick={close} />;
}

/** What has happened last, in words. */
function useLastEvent(): string {
  const { t } = useTranslation('replay');
  const problemText = useProblemText();
  const last = useWorkspace((state) => consoleMessages(state.console).at(-1) ?? null);
  if (!last) return t('beforeStart');
  return last.event ? problemText(last.event) : excerptBelowHeading(last.text);
}
