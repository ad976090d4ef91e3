import type { Transition, Variants } from 'framer-motion';

/** The easing of these animations: the same as `--ease` in `tokens.css`. */
const ease = [0.2, 0, 0, 1] as const;
/** Small things: 120 ms, as `--fast`. */
const fast: Transition = { duration: 0.12, ease };
/** Panels, dialogs and banners: 200 ms, as `--calm`. */
const calm: Transition = { duration: 0.2, ease };

/*
 * The transitions of entering and leaving elements that framer-motion moves: `hidden` before and after, `shown` between. With reduced
 * motion it leaves out moves and only fades (`MotionScope`). Stylesheets have the others: hover, press, and what Base UI removes by
 * itself. These are menus, tooltips, lists to choose from, popovers, the palette, and a flyout that is no sheet.
 */

export const fade = moves({}, {});
export const dialog = moves({ scale: 0.98 }, { scale: 1 });
export const sheet = moves({ y: 24 }, { y: 0 });
export const panelFromLeft = moves({ x: -8 }, { x: 0 });
export const panelFromRight = moves({ x: 8 }, { x: 0 });
export const panelFromBelow = moves({ y: 8 }, { y: 0 });
export const banner = moves({ y: -8 }, { y: 0 });
export const listItem = moves({ y: 4 }, { y: 0 }, fast);
/** For content that opens below a pressed row. */
export const unfolding = moves({ height: 0 }, { height: 'auto' }, fast);

/** For a bar of the timeline that grows from its start. */
export const timelineBar: Variants = { hidden: { scaleX: 0 }, shown: { scaleX: 1, transition: calm } };

type Values = { x?: number; y?: number; scale?: number; height?: number | 'auto' };

function moves(from: Values, to: Values, leaving = calm): Variants {
  return { hidden: { opacity: 0, ...from, transition: leaving }, shown: { opacity: 1, ...to, transition: calm } };
}
