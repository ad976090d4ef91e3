import { useEffect, useMemo, useRef } from 'react';
import { canBeWrittenIn } from '../../../../canvas/overlay/dialog/dialogs-in-view.ts';
import { useObserved } from '../../../../state/use-observed.ts';
import { useWorkspaceContext } from '../../frame/workspace-context.ts';
import { followFormFocus, lostForm } from './focus-of-form.ts';

/** The frames within which a form goes after its card has become too small for it, also on a slow machine. */
const frames = 20;

/** Calls `onLost` with the dialog whose form goes while it is typed in: its card has become too small. D4.05 */
export function useLostForm(onLost: (nodeId: string) => void): void {
  const { view } = useWorkspaceContext();
  const camera = useMemo(() => view.partsOf('camera'), [view]);
  const isLarge = useObserved(camera, () => canBeWrittenIn(view.ephemeral));
  const lost = useRef(onLost);
  useEffect(() => {
    lost.current = onLost;
  });
  useEffect(followFormFocus, []);
  useEffect(() => {
    if (isLarge) return;
    let left = frames;
    let asked = requestAnimationFrame(function look() {
      const nodeId = lostForm();
      if (nodeId !== null) lost.current(nodeId);
      else if (--left > 0) asked = requestAnimationFrame(look);
    });
    return () => cancelAnimationFrame(asked);
  }, [isLarge]);
}
