/** The waits before the two retries of a failed script (ms). */
const pausesMs = [400, 1_600] as const;

/** Thrown for a part of the page whose script, style or texts failed to load three times. */
export class PartLoadError extends Error {
  /** Loads the same part again. Rejects with such an error when that fails too. */
  readonly retry: () => Promise<unknown>;

  constructor(retry: () => Promise<unknown>, cause: unknown) {
    super('part.notLoaded', { cause });
    this.name = 'PartLoadError';
    this.retry = retry;
  }
}

/**
 * Resolves with the result of `load`, a dynamic import; retries twice. Throws a `PartLoadError`. A browser requests a failed script
 * again by itself; a failed stylesheet has to be removed from the page first.
 */
export async function importPart<T>(load: () => Promise<T>, pause: (ms: number) => Promise<void> = wait): Promise<T> {
  for (const ms of pausesMs) {
    try {
      return await load();
    } catch (problem) {
      removeFailedStyle(problem);
      await pause(ms);
    }
  }
  try {
    return await load();
  } catch (problem) {
    removeFailedStyle(problem);
    throw new PartLoadError(() => importPart(load, pause), problem);
  }
}

/** Vite requests a stylesheet with a link in the page only once, and names it in its error. */
function removeFailedStyle(problem: unknown): void {
  const failed = /Unable to preload CSS for (\S+)/.exec(problem instanceof Error ? problem.message : '')?.[1];
  if (failed === undefined) return;
  const { href } = new URL(failed, location.href);
  for (const link of document.querySelectorAll<HTMLLinkElement>('link[rel="stylesheet"]')) if (link.href === href) link.remove();
}

function wait(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
