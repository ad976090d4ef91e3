import { useRef } from 'react';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import { useWorkspace } from '../../../workers/bridge/use-workspace.ts';
import { firstSentence } from '../markdown/excerpt.ts';
import { useOutcomeText } from '../marks/use-outcome-text.ts';
import { namesAtWork } from './names-at-work.ts';
import { newestResult } from './newest-result.ts';
import { runFigures } from './run-figures.ts';
import { useShownRun } from './use-shown-run.ts';

/** Announces the run's steps, what their agents have written, and the run's outcome to screen readers. */
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
          ? t('announce.atWork', { names: namesAtWork(run.steps) })
          : current?.status === 'running'
            ? t('announce.step', { number: currentNumber, total, title: current.name })
            : '';
  return (
    <>
      <p className="visually-hidden" role="status" aria-live="polite">
        {words}
      </p>
      {!isReplayed && <WrittenAnnouncer run={run} />}
    </>
  );
}

/** Announces the first sentence of what an agent has written in a run that this page has seen at work. */
function WrittenAnnouncer({ run }: { run: ReturnType<typeof useShownRun> }) {
  const { t } = useTranslation('workspace');
  const hasWorked = useRef(false);
  if (run.phase === 'running') hasWorked.current = true;
  const newest = hasWorked.current ? newestResult(run.steps) : null;
  return (
    <p className="visually-hidden" role="status" aria-live="polite" data-testid="written-announcer">
      {newest && t('announce.written', { name: newest.name, sentence: firstSentence(newest.result) })}
    </p>
  );
}
