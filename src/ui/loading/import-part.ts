/** How long a script that did not arrive is waited with before each of the two further tries (ms). */
const pausesMs = [400, 1_600] as const;

/** A part of the page whose script, style or texts did not arrive, though they were asked for three times. */
export class PartLoadError extends Error {
  /** Asks for the same again. Rejects with such an error when that fails too. */
  readonly retry: () => Promise<unknown>;

  constructor(retry: () => Promise<unknown>, cause: unknown) {
    super('part.notLoaded', { cause });
    this.name = 'PartLoadError';
    this.retry = retry;
  }
}

/**
 * Resolves with what `load`, a dynamic import, brings; asks twice more when it does not arrive. Throws a `PartLoadError`. A browser asks
 * the network again for a script that did not arrive; a stylesheet that failed has to be taken out of the page first.
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

/** Vite asks for a stylesheet of which the page has a link only once, and names it in what it throws. */
function removeFailedStyle(problem: unknown): void {
  const failed = /Unable to preload CSS for (\S+)/.exec(problem instanceof Error ? problem.message : '')?.[1];
  if (failed === undefined) return;
  const { href } = new URL(failed, location.href);
  for (const link of document.querySelectorAll<HTMLLinkElement>('link[rel="stylesheet"]')) if (link.href === href) link.remove();
}

function wait(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
