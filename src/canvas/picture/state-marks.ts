import type { CardState } from '../../model/card-view.ts';
import type { Mark } from './mark.ts';

const ring = 'M8 2.25a5.75 5.75 0 1 0 .01 0z';
const disc = 'M8 1a7 7 0 1 0 .01 0z';
const octagon = 'M5.1 1h5.8L15 5.1v5.8L10.9 15H5.1L1 10.9V5.1z';

/** Returns a card's state as its glyph, 16 px square, from (x, y). `paper` is the background colour. */
export function stateMarks(state: CardState, x: number, y: number, colour: number, paper: number): Mark[] {
  const lines = (d: string, line = 1.5, dash?: readonly number[]): Mark => ({
    kind: 'path',
    d,
    x,
    y,
    scale: 1,
    stroke: colour,
    line,
    ...(dash && { dash }),
  });
  const filled = (d: string): Mark => ({ kind: 'path', d, x, y, scale: 1, fill: colour });
  const cut = (d: string): Mark => ({ kind: 'path', d, x, y, scale: 1, stroke: paper, line: 1.75 });
  switch (state) {
    case 'idle':
      return [lines(ring)];
    case 'waiting':
      return [lines(ring, 1.5, [2.3, 2.2]), lines('M8 5.25V8.2L10 9.4')];
    case 'active':
      return [lines('M8 2a6 6 0 0 1 6 6', 1.75), filled('M8 5.75a2.25 2.25 0 1 0 .01 0z')];
    case 'paused':
      return [
        lines('M5 2.25h6A2.75 2.75 0 0 1 13.75 5v6A2.75 2.75 0 0 1 11 13.75H5A2.75 2.75 0 0 1 2.25 11V5A2.75 2.75 0 0 1 5 2.25z'),
        lines('M6.4 5.75v4.5M9.6 5.75v4.5'),
      ];
    case 'done':
      return [filled(disc), cut('M5.1 8.2l2 2 3.8-4.2')];
    case 'failed':
      return [filled(octagon), cut('M5.8 5.8l4.4 4.4m0-4.4l-4.4 4.4')];
    case 'stopped':
      return [lines(ring), filled('M6.5 5.5h3a1 1 0 0 1 1 1v3a1 1 0 0 1-1 1h-3a1 1 0 0 1-1-1v-3a1 1 0 0 1 1-1z')];
    case 'skipped':
      return [lines(ring), lines('M4.1 11.9l7.8-7.8')];
  }
}
