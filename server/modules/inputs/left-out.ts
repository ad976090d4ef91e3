import type { InputAddition, InputRefusal } from '../../../contract/input.ts';
import type { Language } from '../../http/call.ts';
import { translate } from '../../http/language.ts';
import { shownPath } from '../files/index.ts';

/** Files that are named in one answer. */
export const maxLeftOut = 100;

/** A file that a set does not have. `other`: what has its path. */
export type LeftOut = { path: string; reason: InputRefusal; other?: string };

/** Says to the caller which files a set does not have, and why. */
export function toldOf(leftOut: readonly LeftOut[], language: Language): InputAddition['leftOut'] {
  return leftOut.slice(0, maxLeftOut).map(({ path, reason, other = '' }) => ({
    path: shownPath(path),
    reason,
    message: translate(language, `input.${reason}`, { other: shownPath(other) }),
  }));
}
