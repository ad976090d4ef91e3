import type { ConsoleMessage } from '../workspace-state.ts';

/**
 * The console's messages, oldest first, in pages. Appending a message changes one page and not the whole list. The oldest messages are
 * removed by the page. `first` is the number of the oldest page. `sizes`: the characters of each page.
 */
export type ConsolePages = { first: number; count: number; pages: Record<number, ConsoleMessage[]>; sizes: Record<number, number> };

/** Messages of a page, and the number of pages: at most 10,000 messages, enough for a run of some hundred steps. */
const pageLength = 100;
const maxPages = 100;
/** Characters of all messages, 2 bytes each. A single message that is longer is kept. */
const maxCharacters = 16_000_000;
/** A page with as many characters takes no more messages. */
const pageCharacters = maxCharacters / maxPages;

export const emptyConsole: ConsolePages = { first: 0, count: 0, pages: {}, sizes: {} };

/** Appends messages in a draft, and removes the oldest pages beyond 10,000 messages or 16 million characters. Returns the removed ones. */
export function appendMessages(console: ConsolePages, messages: readonly ConsoleMessage[]): ConsoleMessage[] {
  const gone: ConsoleMessage[] = [];
  let last = console.first + Math.max(0, Object.keys(console.pages).length - 1);
  let characters = Object.values(console.sizes).reduce((sum, size) => sum + size, 0);
  for (const message of messages) {
    const page = console.pages[last];
    const size = sizeOf(message);
    if (page && page.length < pageLength && (console.sizes[last] ?? 0) + size <= pageCharacters) page.push(message);
    else {
      if (page) last += 1;
      console.pages[last] = [message];
    }
    console.sizes[last] = (console.sizes[last] ?? 0) + size;
    characters += size;
    console.count += 1;
    while (last > console.first && (last - console.first >= maxPages || characters > maxCharacters)) {
      const oldest = console.pages[console.first] ?? [];
      gone.push(...oldest);
      console.count -= oldest.length;
      characters -= console.sizes[console.first] ?? 0;
      delete console.pages[console.first];
      delete console.sizes[console.first];
      console.first += 1;
    }
  }
  return gone;
}

/** The characters of a message's text, and of what its sentence names. */
function sizeOf({ text, event }: ConsoleMessage): number {
  const named = Object.values(event?.params ?? {}).filter((value) => typeof value === 'string');
  return named.reduce((sum, { length }) => sum + length, text.length);
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

/** The message that has the result of a step; undefined before there is one, and where it is no longer kept. */
export function resultMessageOf(console: ConsolePages, stepId: string): ConsoleMessage | undefined {
  return consoleMessages(console).findLast((message) => message.isAI && message.stepId === stepId);
}
