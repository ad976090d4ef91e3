import type { ConsoleMessage, Page } from 'playwright/test';

/** Returns what nobody caught on a page and in its workers from now on: what was thrown, and errors in the developer's console. */
export function watchErrors(page: Page): string[] {
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error' && !isOfNetwork(message)) errors.push(message.text());
  });
  return errors;
}

/** The browser itself writes down each call that did not arrive or was refused; nobody can keep it from that. */
function isOfNetwork(message: ConsoleMessage): boolean {
  return /^Failed to load resource|^WebSocket connection to/.test(message.text());
}
