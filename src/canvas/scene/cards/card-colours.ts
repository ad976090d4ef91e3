import type { CardState } from '../../../model/card-view.ts';
import type { Palette } from '../../../ui/palette.ts';
import { mix } from '../gpu/colour.ts';
import type { CardContent } from './card-content.ts';

/** The colour of a role's pictogram, tile and band. */
export function hueOf({ isDisabled, hue }: CardContent, palette: Palette): number {
  return isDisabled ? palette.hue.grey : palette.hue[hue];
}

/** The colour of a state's sign and word. */
export function stateColour({ state, hue }: CardContent, palette: Palette): number {
  switch (state) {
    case 'idle':
    case 'waiting':
    case 'stopped':
    case 'skipped':
      return palette.muted;
    case 'active':
      return mix(palette.hue[hue], palette.text, 0.22);
    case 'paused':
      return palette.warning;
    case 'done':
      return palette.success;
    case 'failed':
      return palette.danger;
  }
}

/** The colour of a card's border. */
export function borderColour(content: CardContent, palette: Palette): number {
  switch (content.state) {
    case 'idle':
    case 'waiting':
      return palette.line;
    case 'active':
      return hueOf(content, palette);
    case 'paused':
      return palette.warning;
    case 'done':
      return mix(palette.raised, palette.success, 0.55);
    case 'failed':
      return palette.danger;
    case 'stopped':
    case 'skipped':
      return palette.controlBorder;
  }
}

/** Cards that take no part in the run are drawn paler. */
export function isFaint(content: CardContent): boolean {
  return content.isDisabled || hasNotWorked(content.state);
}

export function hasNotWorked(state: CardState): boolean {
  return state === 'skipped' || state === 'stopped';
}

/** The colours of the mark beside a card's state: those of a warning where its result lacks something. */
export function footMarkColours({ isLacking }: Pick<CardContent, 'isLacking'>, palette: Palette): { line: number; text: number } {
  return isLacking ? { line: palette.warning, text: palette.warning } : { line: palette.controlBorder, text: palette.muted };
}
