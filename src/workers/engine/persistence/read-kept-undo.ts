import { z } from 'zod';
import { canvasNode, connection } from '../../../../contract/canvas.ts';
import type { KeptUndo } from '../../../model/document/undo-stack.ts';

const record = z.union([
  z.object({ op: z.enum(['add', 'replace']), path: z.tuple([z.literal('nodes'), z.string()]), value: canvasNode }),
  z.object({ op: z.enum(['add', 'replace']), path: z.tuple([z.literal('connections'), z.string()]), value: connection }),
  z.object({ op: z.literal('remove'), path: z.tuple([z.enum(['nodes', 'connections']), z.string()]) }),
]);
const number = z.number().int();
const keptUndo = z.object({
  extent: z.object({ from: number, to: number, position: number }),
  steps: z.array(z.object({ patches: z.array(record), inverse: z.array(record) })),
});

/** Parses the undo stack of a journal; null if there is none, or a part of it is invalid. */
export function readKeptUndo(kept: unknown): KeptUndo | null {
  const read = keptUndo.safeParse(kept);
  return read.success ? read.data : null;
}
