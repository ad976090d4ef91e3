import { createThreadPool, type ThreadLog } from '../processes/thread-pool.ts';

/** The most pages that wait for a thread. */
const maxWaiting = 100;
/** The most time for one page (ms): a page of elements in elements would take minutes. */
const maxMs = 3_000;

/**
 * Converts HTML to text on threads of its own. `toText` rejects for a page that takes too much time or memory, when too many wait, and when
 * the signal aborts. The thread of such a page is ended.
 */
export function createHtmlText(log: ThreadLog) {
  const module = new URL('./html-text-worker.ts', import.meta.url);
  const pool = createThreadPool({ module, maxThreads: 2, maxQueue: maxWaiting, log, onIdleError: 'The threads for web pages failed' });
  return {
    toText: (html: string, signal: AbortSignal): Promise<string> =>
      pool.run(html, { name: 'htmlToText', signal: AbortSignal.any([signal, AbortSignal.timeout(maxMs)]) }),
    close: (): Promise<void> => pool.destroy(),
  };
}

export type HtmlText = ReturnType<typeof createHtmlText>;
