import type { ShownLinkState } from '../../../model/link-state.ts';
import type { Palette } from '../../../ui/palette.ts';
import type { LinkLook } from './link-writer.ts';

/** Minimum width (CSS px) of a link that work has passed, so that its path stays visible at small zooms. */
const minPathWidth = 1.75;

type Looks = Map<ShownLinkState, LinkLook>;
const known = new WeakMap<Palette, { forward: Looks; back: Looks }>();

/** Returns the look of a link's line by its progress in the run. A back link is dashed. */
export function linkLook(state: ShownLinkState, palette: Palette, isBack: boolean): LinkLook {
  let looks = known.get(palette);
  if (!looks) {
    looks = { forward: new Map(), back: new Map() };
    known.set(palette, looks);
  }
  const of = isBack ? looks.back : looks.forward;
  let look = of.get(state);
  if (!look) {
    look = { ...lookOf(state, palette), isDashed: isBack };
    if (isBack && look.line === 'dotted') look.line = 'plain';
    of.set(state, look);
  }
  return look;
}

function lookOf(state: ShownLinkState, palette: Palette): LinkLook {
  switch (state) {
    case 'rest':
      return { line: 'plain', width: 2, colour: palette.link, alpha: 1 };
    case 'pending':
      return { line: 'dotted', width: 2.25, colour: palette.controlBorder, alpha: 0.8 };
    case 'taken':
      return { line: 'plain', width: 2.5, minWidth: minPathWidth, colour: palette.accent, alpha: 1 };
    case 'passing':
      return { line: 'passing', width: 2.5, minWidth: minPathWidth, colour: palette.accent, alpha: 1 };
    case 'waiting':
      return { line: 'pulse', width: 2.5, minWidth: minPathWidth, colour: palette.accent, alpha: 1 };
    case 'dead':
      return { line: 'plain', width: 2, colour: palette.link, alpha: 0.35 };
  }
}

/** The glow of a link under the pointer, and the stronger glow of a selected link. At small zooms it is still wider than any line. */
export function linkHalo(palette: Palette, isPicked: boolean): LinkLook {
  return { line: 'plain', width: 10, minWidth: 6, colour: palette.accent, alpha: isPicked ? 0.36 : 0.22 };
}

/** The line of a link that is selected. */
export function linkPicked(palette: Palette, isBack: boolean): LinkLook {
  return { line: 'plain', isDashed: isBack, width: 2.5, minWidth: minPathWidth, colour: palette.accent, alpha: 1 };
}
