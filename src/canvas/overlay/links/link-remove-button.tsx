import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { Dispatch } from '../../../model/commands.ts';
import { isLocked } from '../../../model/workspace-state.ts';
import type { WorkspaceStore } from '../../../model/workspace-store.ts';
import { useObserved } from '../../../state/use-observed.ts';
import { Tooltip } from '../../../ui/controls/overlays/tooltip.tsx';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import { X } from '../../../ui/icons/icons.ts';
import type { CanvasView, EphemeralState } from '../../canvas-view.ts';
import { isMerged } from '../../folding/folded-records.ts';
import { toScreen } from '../../geometry/camera.ts';
import { linkBadgeHeight, midpointOf } from '../../geometry/link-path.ts';
import { routesOf } from '../../geometry/routes/routes-of.ts';
import { routing } from '../../geometry/routes/routing.ts';
import { useStoreValue } from '../../use-store-value.ts';
import styles from '../canvas-overlay.module.css';
import { followDrawn } from '../follow-drawn.ts';
import { removableLink } from './removable-link.ts';

/** The parts of the state that decide which link has the button. */
const deciding = ['hover', 'drag', 'linkDraft', 'selectedLinks', 'selectedNodes'] as const;

const origin = { x: 0, y: 0 };

type Props = { store: WorkspaceStore; view: CanvasView; dispatch: Dispatch };

/** Half the height of the button with a gap (CSS px). */
const halfButton = 16;
/** The distance from the button to a pointer that came to its place (CSS px): a second click there must not hit it. */
const clearance = 34;

/**
 * The button that removes a link: the one that is hovered, else the only one selected. It is at the link's midpoint, above the badge if the
 * link has settings, and above the place of a pointer that came to the link there. Hidden while a run locks the document. W2.08 W4.02 D2.04
 */
export function LinkRemoveButton({ store, view, dispatch }: Props) {
  const { t } = useTranslation('canvas');
  const [shown, setShown] = useState<{ linkId: string | null; isHovered: boolean }>({ linkId: null, isHovered: false });
  const { linkId, isHovered } = shown;
  const button = useRef<HTMLButtonElement>(null);
  const locked = useStoreValue(store, (state) => isLocked(state.run));
  const link = useStoreValue(store, (state) => (linkId === null ? undefined : state.document.connections[linkId]));
  const from = useStoreValue(store, (state) => link && state.document.nodes[link.from.agentId]);
  const to = useStoreValue(store, (state) => link && state.document.nodes[link.to.agentId]);

  useEffect(() => {
    const choose = (ephemeral: EphemeralState) => {
      const next = { linkId: removableLink(ephemeral, locked), isHovered: ephemeral.hover?.kind === 'link' };
      setShown((before) => (before.linkId === next.linkId && before.isHovered === next.isHovered ? before : next));
    };
    choose(view.ephemeral);
    return view.subscribe((ephemeral, changed) => deciding.some((key) => changed.has(key)) && choose(ephemeral));
  }, [view, locked]);

  const hasBadge = link?.run !== undefined;
  const document = useStoreValue(store, (state) => (linkId === null ? null : state.document));
  useObserved(routing, routing.get);
  const routes = document && routesOf(document);
  const corners = routes?.corners(linkId ?? '');
  const middle = hasBadge ? routes?.badgeAt(linkId ?? '') : corners && midpointOf(corners);
  const { x: middleX, y: middleY } = middle ?? origin;
  useLayoutEffect(() => {
    const middle = { x: middleX, y: middleY };
    const { hoverAt } = view.ephemeral;
    const isBeside =
      !isHovered || (hoverAt !== null && Math.hypot(hoverAt.x - middle.x, hoverAt.y - middle.y) * view.ephemeral.camera.zoom < clearance);
    const place = ({ camera }: EphemeralState) => {
      const { x, y } = toScreen(camera, middle);
      if (button.current) button.current.style.transform = `translate(${x}px, ${y - above(camera.zoom)}px)`;
    };
    const above = (zoom: number) => (hasBadge ? halfButton + (linkBadgeHeight / 2) * zoom : isBeside ? clearance : 0);

    return followDrawn(view, ['camera'], place);
  }, [view, middleX, middleY, hasBadge, isHovered]);

  if (!link || isMerged(link) || !from || !to) return null;
  return (
    <Tooltip label={t('hint.removeLink')} shortcut="Delete" side="top">
      <button
        ref={button}
        type="button"
        className={styles.removeLink}
        data-canvas-control="hover"
        data-remove-link={link.id}
        aria-label={t('hint.removeLinkOf', { from: from.title, to: to.title })}
        onClick={() => dispatch({ type: 'selection.remove', nodeIds: [], connectionIds: [link.id] })}
      >
        <X size={15} strokeWidth={2.25} aria-hidden />
      </button>
    </Tooltip>
  );
}
