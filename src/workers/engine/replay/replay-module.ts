import type { ReplayCommand } from '../../../model/commands.ts';
import { done, failed, type Outcome } from '../../../model/problem.ts';
import { emptyRun, type ReplayState } from '../../../model/workspace-state.ts';
import type { EngineContext } from '../engine-context.ts';
import type { EngineModule } from '../engine-module.ts';
import { loadPart } from '../load-part.ts';
import type { ReplayPlayer } from './replay-player.ts';

/** Plays a run again from its events. The run that the project really has is followed meanwhile, and is shown after the replay. */
export function createReplayModule(context: EngineContext): EngineModule<ReplayCommand['type']> {
  const { store } = context;
  let player: ReplayPlayer | null = null;
  /** Counts the openings: only the newest one is shown. */
  let opening = 0;

  async function open(executionId: string): Promise<Outcome> {
    close();
    opening += 1;
    const turn = opening;
    store.update((draft) => {
      draft.replay = { ...nothingShown, executionId };
    });
    const isWanted = () => turn === opening;
    const script = await loadPart(context, () => import('./replay-player.ts'));
    if (!isWanted()) return done;
    if (!script) return fail('replay.notLoaded');
    const opened = new script.ReplayPlayer(context, executionId);
    player = opened;
    const problem = await opened.open();
    if (player !== opened || !problem) return done;
    player = null;
    return fail(problem.code, problem.params);
  }

  /** The bar shows the problem. */
  function fail(code: string, params?: Record<string, string | number>): Outcome {
    const outcome = failed(code, params);
    store.update(({ replay }) => {
      if (replay && !outcome.ok) Object.assign(replay, { status: 'failed', error: outcome.error });
    });
    return outcome;
  }

  function close(): void {
    opening += 1;
    player?.close();
    player = null;
    if (store.state.replay === null) return;
    store.update((draft) => {
      draft.replay = null;
    });
  }

  /** A replay that is not ready has no place to go to. */
  function inPlayer(act: (player: ReplayPlayer) => void): Outcome {
    if (!player || store.state.replay?.status !== 'ready') return failed('replay.notReady');
    act(player);
    return done;
  }

  return {
    handlers: {
      'replay.open': ({ executionId }) => open(executionId),
      'replay.close': () => {
        close();
        return done;
      },
      'replay.seek': ({ to }) => inPlayer((open) => open.seek(to)),
      'replay.play': ({ direction, speed }) => inPlayer((open) => open.play(direction, speed)),
      'replay.pause': () => inPlayer((open) => open.pause()),
      'replay.cutIdle': ({ cutsIdle }) => inPlayer((open) => open.cutIdle(cutsIdle)),
    },
    onMessage(message) {
      if (message.type === 'pipeline_update' && message.executionId === player?.executionId) player.receive(message);
    },
    onOnline: () => void player?.readNew(),
    onProjectGone: close,
    onRunRequested: close,
    close,
  };
}

const nothingShown: ReplayState = {
  executionId: '',
  status: 'loading',
  error: null,
  read: 0,
  total: 0,
  run: emptyRun,
  steps: [],
  versions: [],
  event: 0,
  placeMs: 0,
  durationMs: 0,
  lines: [],
  lineCount: 0,
  playing: null,
  speed: 1,
  cutsIdle: false,
  isUnderWay: false,
  document: null,
  marks: [],
  spent: [],
};
