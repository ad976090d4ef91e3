import { setTimeout as wait } from 'node:timers/promises';
import { type Made, takeMade } from './count-made.ts';
import { noteStatements, quietMs, type Sent, takeStatements } from './count-statements.ts';
import { beginBlock, heldHeap } from './measure-heap.ts';

/** What a test asks a server into which this file was loaded first. */
export type Questions = {
  /** Bytes in use after a collection. */
  heldHeap: number;
  beginBlock: null;
  /** Bytes allocated since its beginning; null where a collection has taken some. */
  endBlock: number | null;
  /** Begins to note statements. */
  noteStatements: null;
  /** What was sent since. */
  takeStatements: Sent[];
  made: Made;
  /** Answered when the work that follows an answer is done: no statement was sent for a while. */
  quiet: null;
};

/** Longer than a statement takes, shorter than the pause between two looks of a watch (ms). */
const workIsDoneMs = 60;

let end: (() => Promise<number | null>) | null = null;

const answers: { [K in keyof Questions]: () => Promise<Questions[K]> } = {
  heldHeap,
  beginBlock: async () => {
    end = await beginBlock();
    return null;
  },
  endBlock: async () => (await end?.()) ?? null,
  noteStatements: async () => {
    noteStatements();
    return null;
  },
  takeStatements: async () => takeStatements(),
  made: async () => takeMade(),
  quiet: async () => {
    while (quietMs() < workIsDoneMs) await wait(10);
    return null;
  },
};

process.on('message', async ({ id, question }: { id: number; question: keyof Questions }) => {
  process.send?.({ id, answer: await answers[question]() });
});
// The server ends by its signal, not by this channel.
process.channel?.unref();
