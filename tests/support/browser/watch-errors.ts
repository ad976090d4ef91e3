import type { ConsoleMessage, Page } from 'playwright/test';

/** Returns the uncaught errors of a page and its workers from now on, and the errors in the console. */
export function watchErrors(page: Page): string[] {
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error' && !isOfNetwork(message)) errors.push(message.text());
  });
  return errors;
}

/** The browser itself logs each failed or refused call; a page cannot prevent that. */
function isOfNetwork(message: ConsoleMessage): boolean {
  return /^Failed to load resource|^WebSocket connection to/.test(message.text());
}
