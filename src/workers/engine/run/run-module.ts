import type { RunCommand } from '../../../model/commands.ts';
import { movesOnly } from '../../../model/document/moves-only.ts';
import { done, failed, type Outcome } from '../../../model/problem.ts';
import type { ConnectionModule } from '../connection/connection-module.ts';
import type { EngineContext } from '../engine-context.ts';
import type { EngineModule } from '../engine-module.ts';
import { loadPart } from '../load-part.ts';
import { LiveLog } from '../store/live-log.ts';
import { controlRun, startFromControl, stopRun } from './control-run.ts';
import { ForkPipeline } from './fork-pipeline.ts';
import { chooseTried, forkRun } from './fork-run.ts';
import type { CanvasOfRuns } from './pipeline-of-canvas.ts';
import { RunFollower } from './run-follower.ts';
import { holdsOfRun } from './run-holds.ts';
import { type RunParts, RunQueue } from './run-queue.ts';
import { sendDialogMessage } from './send-dialog-message.ts';

export type RunModule = EngineModule<RunCommand['type']> & {
  /** Shows the project's newest run, unless this page is starting one: that one is followed once the server has it. */
  showNewest(): Promise<void>;
  /** Whether a run was started here that the server does not have yet. */
  isStarting(): boolean;
  /** Takes the run off the canvas. */
  clear(): void;
  /** The newest event that is known of the run that is followed, by execution. */
  since(): Record<string, number>;
};

/** Runs: starts, controls and follows them, and queues messages for later runs. */
export function createRunModule(context: EngineContext, connection: ConnectionModule, canvas: CanvasOfRuns): RunModule {
  const { store } = context;
  const live = new LiveLog(store, context.environment);
  const follower = new RunFollower(context, live, connection);
  const queue = new RunQueue(context, follower, canvas);
  const holds = holdsOfRun(context);
  const forkPipeline = new ForkPipeline(context, canvas);
  const parts: RunParts = { follower, queue, canvas };
  /** Settles when the server has every task and message that was sent. */
  let sending: Promise<unknown> = Promise.resolve();

  function sent<T>(send: () => Promise<Outcome<T>>): Promise<Outcome<T>> {
    context.notify('onRunRequested');
    // A run has the edits that were given before it.
    const outcome = canvas.waiting ? canvas.waiting.then(send) : send();
    sending = Promise.allSettled([sending, outcome]);
    return outcome;
  }

  function isStarting(): boolean {
    const { phase, execution } = store.state.run;
    return phase === 'starting' || (phase === 'stopping' && execution === null);
  }

  return {
    handlers: {
      'dialog.send': (command) => sent(() => sendDialogMessage(context, parts, command)),
      'dialog.reportRefusal': ({ dialogTitle, problem }) => {
        const { code, params, details } = problem;
        context.notices.show({ code: 'dialog.notSent', params: { ...params, dialogTitle, refusal: code }, ...(details && { details }) });
        return done;
      },
      'run.start': (command) => sent(() => startFromControl(context, parts, command)),
      'run.pause': () => controlRun(context, parts, 'pause', ['running', 'starting']),
      'run.resume': () => controlRun(context, parts, 'resume', ['paused', 'pausing']),
      'run.nextStep': () => controlRun(context, parts, 'nextStep', ['paused']),
      'run.stop': () => stopRun(context, parts),
      'run.setHolds': (command) => holds.set(command.holds),
      'run.withdraw': ({ executionId }) => queue.withdraw(executionId),
      'run.storeForkPipeline': ({ executionId }) => forkPipeline.store(executionId),
      'run.dropForkPipeline': async () => {
        await forkPipeline.drop();
        return done;
      },
      'run.fork': (command) =>
        sent(async () => {
          const outcome = await forkRun(context, follower, { ...command, request: forkPipeline.asked(command.request) });
          if (outcome.ok) forkPipeline.taken(command.request.pipelineId);
          return outcome;
        }),
      'run.fromCard': (command) =>
        sent(async () => {
          const part = await loadPart(context, () => import('./run-from-card.ts'));
          return part ? part.runFromCard(context, { follower, forkPipeline }, command) : failed('network');
        }),
      'run.chooseTried': (command) => chooseTried(context, follower, command),
      'run.clear': () => {
        if (store.state.run.phase !== 'stopped') return failed('run.active');
        follower.clear();
        return done;
      },
    },
    async showNewest() {
      if (isStarting()) return;
      follower.forget();
      await follower.showNewest();
    },
    isStarting,
    clear: () => follower.clear(),
    since: () => follower.since(),
    onMessage(message) {
      live.heard(message);
      follower.receive(message);
    },
    onEdited(change) {
      if (change) holds.follow(change);
      if (!change || !movesOnly(change)) follower.markPast();
    },
    onOnline: () => void follower.pollNow(),
    onProjectOpened() {
      follower.canvasShown();
      void queue.startNext();
    },
    onProjectGone() {
      follower.forget();
      void forkPipeline.drop();
    },
    onRunEnded: () => void queue.startNext(),
    async close() {
      follower.forget();
      await Promise.all([sending, forkPipeline.drop()]);
    },
  };
}
