import type { LinkState } from '../../../model/card-view.ts';
import type { Palette } from '../../../ui/palette.ts';
import type { LinkLook } from './link-writer.ts';

/** Minimum width (CSS px) of a link that work has passed, so that its path stays visible at small zooms. */
const minPathWidth = 1.75;

const known = new WeakMap<Palette, Record<LinkState, LinkLook>>();

/** A link's line by what has passed along it. */
export function linkLook(state: LinkState, palette: Palette): LinkLook {
  let looks = known.get(palette);
  if (!looks) {
    const look = (each: LinkState) => lookOf(each, palette);
    looks = { rest: look('rest'), waiting: look('waiting'), travelled: look('travelled'), onTheWay: look('onTheWay') };
    known.set(palette, looks);
  }
  return looks[state];
}

function lookOf(state: LinkState, palette: Palette): LinkLook {
  switch (state) {
    case 'rest':
      return { line: 'plain', width: 2, colour: palette.link, alpha: 1 };
    case 'waiting':
      return { line: 'dotted', width: 2.25, colour: palette.controlBorder, alpha: 0.8 };
    case 'travelled':
      return { line: 'plain', width: 2.5, least: minPathWidth, colour: palette.accent, alpha: 1 };
    case 'onTheWay':
      return { line: 'onTheWay', width: 2.5, least: minPathWidth, colour: palette.accent, alpha: 1 };
  }
}

/** The glow round a link under the pointer, and the stronger one of a link that is selected: at small zooms it is still wider than any line. */
export function linkHalo(palette: Palette, isPicked: boolean): LinkLook {
  return { line: 'plain', width: 10, least: 6, colour: palette.accent, alpha: isPicked ? 0.36 : 0.22 };
}

/** The line of a link that is selected. */
export function linkPicked(palette: Palette): LinkLook {
  return { line: 'plain', width: 2.5, least: minPathWidth, colour: palette.accent, alpha: 1 };
}
