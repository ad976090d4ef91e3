import { setTimeout as wait } from 'node:timers/promises';
import type { Made } from '../probes/count-made.ts';
import type { Sent } from '../probes/count-statements.ts';
import type { MeasuredServer } from './measured-server.ts';
import type { Kind, Work } from './open-work.ts';

/** Blocks whose median counts, and the most that are tried: one in which a collection was due does not count. */
const blocks = 6;
const maxBlocks = 15;
/** Blocks before them: code that has run often is compiled, and allocates less. */
const warmUpBlocks = 2;

/** Does so many pieces of work, one after another, and waits until what follows them is done. */
async function carryOut(server: MeasuredServer, pieces: readonly (() => Promise<unknown>)[]): Promise<void> {
  for (const piece of pieces) await piece();
  await server.ask('quiet');
}

/** Does so many pieces of a kind. Returns what the server has sent to PostgreSQL and made for them. */
export async function sentFor(server: MeasuredServer, work: Work, kind: Kind, count: number): Promise<{ sent: Sent[]; made: Made }> {
  const pieces = await work.prepare[kind](count);
  await server.ask('quiet');
  await server.ask('noteStatements');
  await server.ask('made');
  await carryOut(server, pieces);
  return { sent: await server.ask('takeStatements'), made: await server.ask('made') };
}

/** Returns the KiB that a piece of a kind allocates in the server: the median of blocks of so many pieces. */
export async function allocatedBy(server: MeasuredServer, work: Work, kind: Kind, count: number): Promise<number> {
  await carryOut(server, await work.prepare[kind](warmUpBlocks * count));
  await server.ask('heldHeap');
  const found: number[] = [];
  for (let block = 0; found.length < blocks && block < maxBlocks; block += 1) {
    const pieces = await work.prepare[kind](count);
    await server.ask('quiet');
    await server.ask('beginBlock');
    await carryOut(server, pieces);
    const bytes = await server.ask('endBlock');
    if (bytes !== null) found.push(bytes / 1_024 / count);
  }
  if (found.length < blocks) throw new Error(`${kind}: a collection was due in ${maxBlocks - found.length} of ${maxBlocks} blocks.`);
  return found.toSorted((a, b) => a - b)[found.length >> 1] as number;
}

/** Returns what the server has sent in a window of time (ms): its watches come by their clocks. */
export async function sentWithin(server: MeasuredServer, ms: number, meanwhile: () => Promise<void> = async () => {}): Promise<Sent[]> {
  await server.ask('quiet');
  await server.ask('noteStatements');
  await Promise.all([wait(ms), meanwhile()]);
  return server.ask('takeStatements');
}

/** Returns the bytes by which `begin` has enlarged the heap that stays in use. */
export async function heldBy(server: MeasuredServer, begin: () => Promise<void>): Promise<number> {
  await server.ask('quiet');
  const before = await server.ask('heldHeap');
  await begin();
  await server.ask('quiet');
  return (await server.ask('heldHeap')) - before;
}
