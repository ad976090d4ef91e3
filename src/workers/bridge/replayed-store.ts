import type { Patch } from 'immer';
import type { CanvasDocument } from '../../../contract/canvas.ts';
import type { StepRun } from '../../../contract/executions/execution.ts';
import type { ConsolePages } from '../../model/console/console-pages.ts';
import type { ReplayState, RunState, WorkspaceState } from '../../model/workspace-state.ts';
import type { Earlier, WorkspaceStore } from '../../model/workspace-store.ts';

/**
 * Returns a store that shows the moment of an open replay in place of the run and the console, on the canvas that ran. Canvas, console and timeline
 * read it and need not know of replays. Without a replay it is the same as the given store.
 */
export function replayedStore(store: WorkspaceStore): WorkspaceStore {
  let known: { from: WorkspaceState; shown: WorkspaceState } | null = null;
  let knownSteps: { of: ReplayState['steps']; steps: StepRun[] } | null = null;
  let knownRun: { of: ReplayState['run']; run: RunState } | null = null;
  let knownConsole: { lines: ReplayState['lines']; count: number; pages: ConsolePages } | null = null;

  function getState(): WorkspaceState {
    const from = store.getState();
    const { replay } = from;
    if (replay?.status !== 'ready') return from;
    if (known?.from !== from)
      known = {
        from,
        shown: { ...from, run: runOf(replay), console: consoleOf(replay), ...(replay.document && { document: replay.document }) },
      };
    return known.shown;
  }

  function runOf({ run, steps, versions }: ReplayState): RunState {
    if (knownSteps?.of !== steps) knownSteps = { of: steps, steps: steps.map((place) => versions[place] as StepRun) };
    if (knownRun?.of !== run || knownRun.run.steps !== knownSteps.steps) knownRun = { of: run, run: { ...run, steps: knownSteps.steps } };
    return knownRun.run;
  }

  function consoleOf({ lines, lineCount }: ReplayState): ConsolePages {
    if (knownConsole?.lines !== lines || knownConsole.count !== lineCount) {
      const pages = { first: 0, count: lineCount, pages: { 0: lines.slice(0, lineCount) }, sizes: {} };
      knownConsole = { lines, count: lineCount, pages };
    }
    return knownConsole.pages;
  }

  return {
    getState,
    subscribe(listener) {
      let wasShown = store.getState().replay?.status === 'ready';
      let wasOwn = ownDocument(store.getState());
      return store.subscribe((_state, patches, earlier) => {
        const state = getState();
        const isShown = state.replay?.status === 'ready';
        const own = ownDocument(state);
        const ofRun = patches && shownPatches(patches, { isShown, isSame: isShown === wasShown }, state);
        const changed = ofRun && documentPatches(ofRun, { own, isSame: own === wasOwn }, state);
        const isReplaced = own !== null || own !== wasOwn;
        wasShown = isShown;
        wasOwn = own;
        listener(state, changed, isReplaced ? nothingEarlier : earlier);
      });
    },
  };
}

/** Converts patches of the replay into patches of the run, and leaves out those of the run that is not shown. */
function shownPatches(
  patches: readonly Patch[],
  { isShown, isSame }: { isShown: boolean; isSame: boolean },
  { run, console }: WorkspaceState,
) {
  if (!isShown && isSame) return patches;
  if (!isSame)
    return [
      ...patches.filter(({ path }) => !isHidden(path)),
      { op: 'replace' as const, path: ['run'], value: run },
      { op: 'replace' as const, path: ['console'], value: console },
    ];
  let hasSteps = false;
  return patches.flatMap((patch): Patch[] => {
    const [part, field, ...rest] = patch.path;
    if (isHidden(patch.path)) return [];
    if (part !== 'replay') return [patch];
    if (field === undefined)
      return [patch, { op: 'replace', path: ['run'], value: run }, { op: 'replace', path: ['console'], value: console }];
    if (field === 'run') return [{ ...patch, path: ['run', ...rest] }];
    if (field === 'versions' || (field === 'steps' && hasSteps)) return [];
    if (field === 'steps') {
      hasSteps = true;
      return [{ op: 'replace', path: ['run', 'steps'], value: run.steps }];
    }
    return field === 'lineCount' ? [patch, { op: 'replace', path: ['console'], value: console }] : [patch];
  });
}

/** The canvas that ran, while it is shown. */
function ownDocument({ replay }: WorkspaceState): CanvasDocument | null {
  return replay?.status === 'ready' ? replay.document : null;
}

/** Leaves out edits of the canvas that is not shown. The canvas that ran takes its place as a whole, and gives it back. */
function documentPatches(
  patches: readonly Patch[],
  { own, isSame }: { own: CanvasDocument | null; isSame: boolean },
  { document }: WorkspaceState,
): readonly Patch[] {
  if (own === null && isSame) return patches;
  const others = patches.filter(({ path }) => path[0] !== 'document');
  return isSame ? others : [...others, { op: 'replace', path: ['document'], value: document }];
}

const nothingEarlier: Earlier = { nodes: new Map(), connections: new Map() };

function isHidden([part]: Patch['path']): boolean {
  return part === 'run' || part === 'console';
}
