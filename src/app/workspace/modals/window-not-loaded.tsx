import { type FunctionComponent, useEffect, useRef } from 'react';
import type { NotLoadedProps } from '../../../ui/loading/lazy-part.tsx';
import { PartNotLoaded } from '../../../ui/loading/part-not-loaded.tsx';
import { usePanels, type WorkspaceWindow } from '../frame/panels.tsx';

/**
 * Replaces windows of these kinds whose script did not load, while one of them is open. Opening a window
 * again loads its script again.
 */
export function windowNotLoaded(
  kinds: readonly WorkspaceWindow['kind'][],
): FunctionComponent<Pick<NotLoadedProps, 'retry' | 'isRetrying'>> {
  return function WindowNotLoaded({ retry, isRetrying }) {
    const { panels, show } = usePanels();
    const isAsked = panels.window !== null && kinds.includes(panels.window.kind);
    const wasClosed = useRef(false);
    useEffect(() => {
      if (isAsked && wasClosed.current) void retry();
      wasClosed.current = !isAsked;
    }, [isAsked, retry]);
    if (!isAsked) return null;
    return <PartNotLoaded floating retry={retry} isRetrying={isRetrying} onClose={() => show({ window: null })} />;
  };
}
