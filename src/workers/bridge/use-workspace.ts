import { createContext, createElement, type ReactNode, useCallback, useContext, useRef } from 'react';
import type { Call } from '../../model/call.ts';
import type { Dispatch } from '../../model/commands.ts';
import { failed } from '../../model/problem.ts';
import type { WorkspaceState } from '../../model/workspace-state.ts';
import type { WorkspaceStore } from '../../model/workspace-store.ts';
import { useObserved } from '../../state/use-observed.ts';

type Provided = { store: WorkspaceStore; dispatch: Dispatch; call: Call };

const WorkspaceContext = createContext<Provided | null>(null);

/** Provides a workspace to the components below it. `bridge` is a bridge, or any object with a store, a dispatch and a call. */
export function WorkspaceProvider({ bridge, children }: { bridge: Provided; children: ReactNode }) {
  return createElement(WorkspaceContext.Provider, { value: bridge }, children);
}

/**
 * A part of the workspace's state; the component renders again only when the part changes by `isEqual` (`Object.is` unless
 * given). A selector that builds a new object or list needs an `isEqual` of its own.
 */
export function useWorkspace<T>(selector: (state: WorkspaceState) => T, isEqual: (a: T, b: T) => boolean = Object.is): T {
  const store = useStore();
  const last = useRef<{ state: WorkspaceState; selector: (state: WorkspaceState) => T; value: T } | null>(null);
  const read = () => {
    const state = store.getState();
    const known = last.current;
    if (known && known.state === state && known.selector === selector) return known.value;
    const selected = selector(state);
    const value = known && isEqual(known.value, selected) ? known.value : selected;
    last.current = { state, selector, value };
    return value;
  };
  return useObserved(store, read);
}

export function useStore(): WorkspaceStore {
  return useProvided().store;
}

export function useDispatch(): Dispatch {
  return useProvided().dispatch;
}

/** Makes calls by the names of their routes. */
export function useCall(): Call {
  return useProvided().call;
}

/** Makes calls that change something. They are refused until the workspace is open, as commands are. */
export function useChange(): Call {
  const { store, call } = useProvided();
  return useCallback(
    async (route, ...sent) => (store.getState().status === 'ready' ? call(route, ...sent) : failed('workspace.opening')),
    [store, call],
  );
}

function useProvided(): Provided {
  const provided = useContext(WorkspaceContext);
  if (!provided) throw new Error('No workspace above this component');
  return provided;
}
