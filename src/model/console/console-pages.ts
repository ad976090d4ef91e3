import type { ConsoleMessage } from '../workspace-state.ts';

/**
 * The console's messages, oldest first, in pages: appending a message changes one page and not the whole list, and the oldest messages are
 * removed by the page. `first` is the number of the oldest page.
 */
export type ConsolePages = { first: number; count: number; pages: Record<number, ConsoleMessage[]> };

/** Messages of a page, and the number of pages. Both bound the console's memory: 10,000 messages, enough for a run of some hundred steps. */
const pageLength = 100;
const maxPages = 100;

export const emptyConsole: ConsolePages = { first: 0, count: 0, pages: {} };

/** Appends messages in a draft, and removes the oldest beyond 10,000. Returns the removed ones. */
export function appendMessages(console: ConsolePages, messages: readonly ConsoleMessage[]): ConsoleMessage[] {
  const gone: ConsoleMessage[] = [];
  let last = console.first + Math.max(0, Object.keys(console.pages).length - 1);
  for (const message of messages) {
    const page = console.pages[last];
    if (page && page.length < pageLength) page.push(message);
    else {
      if (page) last += 1;
      console.pages[last] = [message];
    }
    console.count += 1;
    if (last - console.first < maxPages) continue;
    const oldest = console.pages[console.first] ?? [];
    gone.push(...oldest);
    console.count -= oldest.length;
    delete console.pages[console.first];
    console.first += 1;
  }
  return gone;
}

const flat = new WeakMap<ConsolePages, readonly ConsoleMessage[]>();

/** Returns all messages in one list, oldest first; the same list for the same console. */
export function consoleMessages(console: ConsolePages): readonly ConsoleMessage[] {
  const known = flat.get(console);
  if (known) return known;
  const messages = Object.values(console.pages).flat();
  flat.set(console, messages);
  return messages;
}
