import type { ConsoleMessage } from '../workspace-state.ts';

/**
 * The console's messages, oldest first, in pages: one more message costs a page and not the list, and the oldest go a page at a
 * time. `first` is the number of the oldest page there is; pages are numbered on and on.
 */
export type ConsolePages = { first: number; count: number; pages: Record<number, ConsoleMessage[]> };

/** Messages of a page, and pages kept: a run of some hundred steps is here whole. */
const pageLength = 100;
const mostPages = 100;

export const emptyConsole: ConsolePages = { first: 0, count: 0, pages: {} };

/** Puts messages at the end, in a draft; what is beyond 10,000 goes from the beginning. Returns what went. */
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
    if (last - console.first < mostPages) continue;
    const oldest = console.pages[console.first] ?? [];
    gone.push(...oldest);
    console.count -= oldest.length;
    delete console.pages[console.first];
    console.first += 1;
  }
  return gone;
}

const flat = new WeakMap<ConsolePages, readonly ConsoleMessage[]>();

/** All messages in one list, oldest first; the same list for the same console. */
export function consoleMessages(console: ConsolePages): readonly ConsoleMessage[] {
  const known = flat.get(console);
  if (known) return known;
  const messages = Object.values(console.pages).flat();
  flat.set(console, messages);
  return messages;
}
