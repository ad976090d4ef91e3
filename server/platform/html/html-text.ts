import { Tinypool } from 'tinypool';

/** An idle thread ends after this time (ms). */
const idleMs = 30_000;
/** The memory limit of a thread (MiB). */
const maxHeapMb = 256;
/** The most pages that wait for a thread. */
const maxWaiting = 100;
/** The most time for one page (ms): a page of elements in elements would take minutes. */
const maxMs = 3_000;

/**
 * Converts HTML to text on threads of its own. `toText` rejects for a page that takes too much time or memory, when too many wait, and when
 * the signal aborts. The thread of such a page is ended.
 */
export function createHtmlText(log: { error: (about: object, line: string) => void }) {
  const pool = new Tinypool({
    filename: new URL('./html-text-worker.ts', import.meta.url),
    minThreads: 0,
    maxThreads: 2,
    idleTimeout: idleMs,
    maxQueue: maxWaiting,
    resourceLimits: { maxOldGenerationSizeMb: maxHeapMb },
  });
  pool.on('error', (error) => log.error({ err: error }, 'The threads for web pages failed'));
  return {
    toText: (html: string, signal: AbortSignal): Promise<string> =>
      pool.run(html, { name: 'htmlToText', signal: AbortSignal.any([signal, AbortSignal.timeout(maxMs)]) }),
    close: (): Promise<void> => pool.destroy(),
  };
}

export type HtmlText = ReturnType<typeof createHtmlText>;
