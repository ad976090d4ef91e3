import { Suspense } from 'react';
import { participationKinds } from '../../../../model/run/participation/participation-state.ts';
import { useTranslation } from '../../../../ui/i18n/use-translation.ts';
import { AbsentUntilOnline } from '../../../../ui/loading/absent-until-online.tsx';
import { lazyPart } from '../../../../ui/loading/lazy-part.tsx';
import { useWorkspace } from '../../../../workers/bridge/use-workspace.ts';
import { isShortWindow } from '../../frame/short-window.ts';
import { useNodeCounts } from '../../frame/use-node-counts.ts';
import { useWindowSize } from '../../frame/use-window-size.ts';
import { useWorkspaceContext } from '../../frame/workspace-context.ts';
import styles from '../run-control.module.css';
import { CanvasErrors } from './canvas-errors.tsx';
import { useRunErrors } from './use-run-errors.ts';

const TakingPart = lazyPart(() => import('./taking-part.tsx').then((file) => file.TakingPart), AbsentUntilOnline);
const SimulatedNote = lazyPart(() => import('../../connections/simulated-note.tsx').then((file) => file.SimulatedNote), AbsentUntilOnline);

/** What is to be known before the next run: errors of the canvas, cards that it leaves out, answers that are simulated. Mostly nothing. */
export function RunNotice() {
  const { t } = useTranslation('workspace');
  const { account } = useWorkspaceContext();
  const agents = useNodeCounts((counts) => counts.agents);
  const hasEnded = useWorkspace((state) => state.run.outcome !== null);
  const isPartial = useWorkspace(({ participation: { taking, of, reports } }) => of > 0 && (taking < of || reports.length > 0));
  const isIdle = useWorkspace(({ participation: { taking, of } }) => of > 0 && taking === 0);
  // In a low window the cards alone say so.
  const isShort = isShortWindow(useWindowSize().height);
  const reports = useWorkspace(({ participation }) => participation.reports);
  const isRefused = reports.some(({ kind }) => participationKinds[kind] === 'refuses');
  // What the graph of the run is refused for stands among its reports, with the cures.
  const errors = useRunErrors().filter(({ code }) => !(isRefused && code.startsWith('graph.')));
  if (agents === 0) return <p className={styles.advice}>{t('run.noAgents')}</p>;
  return (
    <div className={styles.notice}>
      {!hasEnded && (
        <span className="visually-hidden">{t(errors.length === 0 && !isIdle && !isRefused ? 'run.ready' : 'run.notReady')}</span>
      )}
      {errors.length > 0 && <CanvasErrors errors={errors} />}
      {isPartial ? (
        <Suspense fallback={null}>
          <TakingPart />
        </Suspense>
      ) : (
        errors.length === 0 && <Suspense fallback={null}>{account && !hasEnded && !isShort && <SimulatedNote />}</Suspense>
      )}
    </div>
  );
}
