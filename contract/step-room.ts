import { z } from 'zod';

/** The most turns and calls of tools of one step: the default, and the maximum. */
export const stepRoom = { turns: { usual: 40, max: 200 }, calls: { usual: 200, max: 1_000 } } as const;

export const maxTurns = z.number().int().min(1).max(stepRoom.turns.max);
export const maxCalls = z.number().int().min(1).max(stepRoom.calls.max);
