import { z } from 'zod';
import { isStorableMoment } from './common.ts';

/** A day or a moment, from 1970 to 9998. */
export const day = z.iso
  .date()
  .or(z.iso.datetime({ offset: true }))
  .refine(isStorableMoment, { params: { rule: 'storableMoment' } });

const dayMs = 86_400_000;

/** The first moment of a day, or the moment itself (ms since the epoch). */
export function startOf(value: string): number {
  return Date.parse(value);
}

/** The first moment after a day, or the millisecond after a moment (ms since the epoch). */
export function endOf(value: string): number {
  return Date.parse(value) + (value.includes('T') ? 1 : dayMs);
}
