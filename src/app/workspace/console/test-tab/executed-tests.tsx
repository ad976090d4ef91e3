import { useEffect, useRef, useState } from 'react';
import type { StepRun } from '../../../../../contract/executions/execution.ts';
import { executedCommand, isBeforeTests, type TestRun } from '../../../../../contract/executions/test-run.ts';
import { Button } from '../../../../ui/controls/buttons/button.tsx';
import { Spinner } from '../../../../ui/controls/spinner.tsx';
import { useTranslation } from '../../../../ui/i18n/use-translation.ts';
import { CircleCheck, FileDown, Info, OctagonX } from '../../../../ui/icons/icons.ts';
import { useWorkspace } from '../../../../workers/bridge/use-workspace.ts';
import { useRead } from '../../../server-data/use-read.ts';
import { saveFile } from '../../frame/save-file.ts';
import { Loaded } from '../files/loaded.tsx';
import styles from './executed-tests.module.css';

/** How the executed tests of a step ended, or that they are executed now. `isWaiting`: their install step has asked a person. G3.35 */
export function TestOutcome({ run, isWaiting }: { run: TestRun; isWaiting: boolean }) {
  const { t } = useTranslation('console');
  const tone = toneOf(run);
  return (
    <div className={styles.outcome} data-tone={tone} data-testid="test-outcome">
      <p role="status">
        {tone === 'running' ? <Spinner size={15} /> : <Picture tone={tone} />}
        <span>{run.state === 'running' && isWaiting ? t('test.waits') : outcomeText(run, t)}</span>
      </p>
      {run.command !== '' && <code>{executedCommand(run)}</code>}
      {run.missing !== undefined && <small>{t('test.missing', { name: run.missing })}</small>}
      {isBeforeTests(run.reason) && <small>{t(`test.cures.${run.reason}`)}</small>}
      {run.counts && <small>{t('test.counted', run.counts)}</small>}
      {contradicts(run) && <small>{t('test.contradiction')}</small>}
      {run.state === 'ended' && <small>{t(run.simulated ? 'test.simulatedRun' : run.byAgent ? 'test.byAgent' : 'test.verdictsOwn')}</small>}
    </div>
  );
}

type Tone = 'running' | 'passed' | 'failed' | 'open';

function toneOf(run: TestRun): Tone {
  const { state, exitCode } = run;
  if (state === 'running') return 'running';
  if (state !== 'ended') return 'open';
  if (exitCode !== 0) return 'failed';
  return contradicts(run) ? 'open' : 'passed';
}

/** Whether a command ended well although its log counts failed tests. */
function contradicts({ exitCode, counts }: TestRun): boolean {
  return exitCode === 0 && counts !== undefined && counts.failed > 0;
}

function Picture({ tone }: { tone: Exclude<Tone, 'running'> }) {
  const Icon = tone === 'passed' ? CircleCheck : tone === 'failed' ? OctagonX : Info;
  return <Icon size={15} aria-hidden />;
}

function outcomeText(
  { state, exitCode, reason, ms, simulated, waits }: TestRun,
  t: ReturnType<typeof useTranslation<'console'>>['t'],
): string {
  switch (state) {
    case 'running':
      return t(waits ? 'test.waitsForRunner' : 'test.executing');
    case 'ended':
      if (simulated) return t('test.simulated', { code: exitCode });
      return t('test.executed', { code: exitCode, seconds: Math.round((ms ?? 0) / 100) / 10 });
    case 'failed':
      return t('test.notEnded', { reason });
    case 'stopped':
      return t('test.stopped');
    default:
      return state satisfies never;
  }
}

/** The log of a step's tests: streamed while they are executed, read from the server afterwards. */
export function TestLog({ step, run }: { step: StepRun; run: TestRun }) {
  const { t } = useTranslation('console');
  const executionId = useWorkspace((state) => state.run.execution?.id ?? null);
  const live = useWorkspace((state) => state.run.logs[step.stepId]);
  // A log without a fault is closed; the choice of the user stays.
  const [isOpen, setOpen] = useState<boolean | null>(null);
  const shown = isOpen ?? (run.state === 'running' || run.exitCode !== 0);
  if (run.state !== 'running' && !run.hasLog) return run.state === 'ended' ? <p className={styles.none}>{t('test.logNone')}</p> : null;
  return (
    <details className={styles.log} open={shown} onToggle={(event) => setOpen(event.currentTarget.open)} data-testid="test-log">
      <summary>{t('test.log')}</summary>
      {run.state === 'running' && <LogText text={live?.text ?? ''} length={live?.length ?? 0} isLive />}
      {run.state !== 'running' && shown && executionId !== null && (
        <StoredLog key={run.startedAt} executionId={executionId} stepId={step.stepId} />
      )}
    </details>
  );
}

function StoredLog({ executionId, stepId }: { executionId: string; stepId: string }) {
  const { t } = useTranslation('console');
  const remote = useRead('execution.testLog', { params: { id: executionId, stepId } });
  return (
    <Loaded remote={remote}>
      {(text) => (
        <>
          <LogText text={text} length={text.length} />
          <Button
            size="s"
            icon={<FileDown size={14} aria-hidden />}
            onClick={() => saveFile(new Blob([text], { type: 'text/plain' }), `tests-${executionId.slice(-12)}.log`)}
          >
            {t('test.logSave')}
          </Button>
        </>
      )}
    </Loaded>
  );
}

/** The end of a log that is shown (UTF-16 units). */
const shownLength = 64 * 1024;

function LogText({ text, length, isLive = false }: { text: string; length: number; isLive?: boolean }) {
  const { t } = useTranslation('console');
  const box = useRef<HTMLElement>(null);
  const isAtEnd = useRef(true);
  const shown = text.slice(-shownLength);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each text scrolls to its end, unless the reader has scrolled away from it
  useEffect(() => {
    if (box.current && isAtEnd.current) box.current.scrollTop = box.current.scrollHeight;
  }, [shown]);
  return (
    <>
      {length > shown.length && <p className={styles.none}>{t('test.logCut', { count: shown.length })}</p>}
      <section
        ref={box}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard
        tabIndex={0}
        aria-label={t('test.log')}
        onScroll={({ currentTarget: { scrollTop, scrollHeight, clientHeight } }) => {
          isAtEnd.current = scrollHeight - scrollTop - clientHeight < 24;
        }}
      >
        <pre>{shown === '' && isLive ? t('test.logEmpty') : shown}</pre>
      </section>
    </>
  );
}
