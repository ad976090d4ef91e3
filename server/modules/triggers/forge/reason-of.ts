import { createHash } from 'node:crypto';
import type { Language } from '../../../http/call.ts';
import { isServerText, translate } from '../../../http/language.ts';
import type { ShownFire } from '../tables.ts';

/** The key of an event: the same event has the same one, whether a hook or a reading has brought it. */
export function keyOfEvent(url: string, number: number, change: string): string {
  return `forge:${number}:${createHash('sha256').update(`${url} ${change}`).digest('hex').slice(0, 32)}`;
}

/** Says why a fire has started nothing, with a cure. */
export function reasonOf({ reason, detail }: Pick<ShownFire, 'reason' | 'detail'>, language: Language): string {
  const text = `forge.reason_${reason}`;
  return translate(language, isServerText(text) ? text : 'forge.reason_fault', { detail: detail ?? '' });
}
