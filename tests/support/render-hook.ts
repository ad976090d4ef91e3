import { createContext, createElement, type ReactNode } from 'react';
import createReconciler from 'react-reconciler';
import { DiscreteEventPriority } from 'react-reconciler/constants.js';

const none = () => null;

/** What the package offers beside its published types. */
type Renderer = {
  createContainer: (...given: unknown[]) => object;
  updateContainerSync: (shown: ReactNode, root: object, parent: null, done: null) => void;
  flushSyncWork: () => void;
  flushPassiveEffects: () => void;
};

/** Draws nothing: components that return no element run with their state and effects, without a browser. */
const renderer = (createReconciler as unknown as (host: object) => Renderer)({
  isPrimaryRenderer: true,
  supportsMutation: true,
  supportsPersistence: false,
  supportsHydration: false,
  noTimeout: -1,
  scheduleTimeout: setTimeout,
  cancelTimeout: clearTimeout,
  getRootHostContext: none,
  getChildHostContext: none,
  getPublicInstance: none,
  getInstanceFromNode: none,
  getInstanceFromScope: none,
  prepareForCommit: none,
  resetAfterCommit: none,
  preparePortalMount: none,
  beforeActiveInstanceBlur: none,
  afterActiveInstanceBlur: none,
  prepareScopeUpdate: none,
  detachDeletedInstance: none,
  clearContainer: none,
  createInstance: none,
  createTextInstance: none,
  appendInitialChild: none,
  finalizeInitialChildren: () => false,
  shouldSetTextContent: () => false,
  setCurrentUpdatePriority: none,
  getCurrentUpdatePriority: () => DiscreteEventPriority,
  resolveUpdatePriority: () => DiscreteEventPriority,
  resolveEventType: none,
  resolveEventTimeStamp: () => -1,
  shouldAttemptEagerTransition: () => false,
  trackSchedulerEvent: none,
  requestPostPaintCallback: none,
  maySuspendCommit: () => false,
  preloadInstance: () => true,
  startSuspendingCommit: none,
  suspendInstance: none,
  waitForCommitToBeReady: none,
  resetFormInstance: none,
  NotPendingTransition: null,
  HostTransitionContext: createContext(null),
});

/** `again` calls the hook once more. */
type Rendered<T> = { get: () => T; again: () => void; close: () => void };

/** Runs a hook in a component below `around`. `get` returns what the hook has returned last. */
export function renderHook<T>(hook: () => T, around: (part: ReactNode) => ReactNode): Rendered<T> {
  let last: { value: T } | null = null;
  function Part() {
    last = { value: hook() };
    return null;
  }
  const failed = (error: unknown) => {
    throw error;
  };
  const root = renderer.createContainer({}, 1, null, false, null, '', failed, failed, failed, () => {});
  const flush = () => {
    renderer.flushSyncWork();
    renderer.flushPassiveEffects();
  };
  const show = (shown: ReactNode) => {
    renderer.updateContainerSync(shown, root, null, null);
    flush();
  };
  const again = () => show(around(createElement(Part)));
  again();
  return {
    get: () => {
      flush();
      if (!last) throw new Error('The hook has returned nothing');
      return last.value;
    },
    again,
    close: () => show(null),
  };
}
