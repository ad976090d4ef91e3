import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import { useWorkspace } from '../../../workers/bridge/use-workspace.ts';
import { runFigures } from './run-figures.ts';
import { useOutcomeText } from './use-outcome-text.ts';
import { useShownRun } from './use-shown-run.ts';

/** Announces the run's steps and its outcome to screen readers. */
export function RunAnnouncer() {
  const { t } = useTranslation('workspace');
  const run = useShownRun();
  // The slider of a replay says what has happened at its place.
  const isReplayed = useWorkspace((state) => state.replay !== null);
  const { current, currentNumber, total, atWork, lacks } = runFigures(run);
  const { ofRun } = useOutcomeText();
  const words = isReplayed
    ? ''
    : run.outcome
      ? ofRun(t(`announce.${run.outcome}`), run.outcome === 'completed' ? lacks : [])
      : run.phase === 'paused'
        ? t('announce.paused')
        : atWork > 1
          ? t('announce.atWork', { count: atWork })
          : current?.status === 'running'
            ? t('announce.step', { number: currentNumber, total, title: current.name })
            : '';
  return (
    <p className="visually-hidden" role="status" aria-live="polite">
      {words}
    </p>
  );
}
