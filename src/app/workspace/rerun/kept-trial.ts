import { maxTrialWaitMs } from '../../../../rules/trial-wait.ts';
import { readStored, writeStored } from '../../../ui/stored-preference.ts';
import { type TriedTarget, trialKey } from '../frame/panels.tsx';

const lockOf = ({ runs }: Pick<TriedTarget, 'runs'>) => `artel-trial-${runs[0]?.executionId}`;

/** Keeps the trial of a project in this browser, so that a page that was reloaded, closed or killed shows it again. Null: it has ended. */
export function keepTrial(projectId: string, trial: TriedTarget | null, now: number): void {
  writeStored(trialKey(projectId), trial === null ? '' : JSON.stringify({ at: now, trial: { ...trial, problem: undefined } }));
}

/** Returns the trial of a project that was left without a choice, or null. */
export function readKeptTrial(projectId: string, now: number): TriedTarget | null {
  try {
    const { at, trial } = JSON.parse(readStored(trialKey(projectId)) ?? '') as { at: number; trial: TriedTarget };
    return now - at < maxTrialWaitMs && trial.runs.length > 0 ? trial : null;
  } catch {
    return null;
  }
}

/** Marks a trial as open in this page, until the returned function is called or the page ends. */
export function holdTrial(trial: Pick<TriedTarget, 'runs'>): () => void {
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  void locks()?.request(lockOf(trial), () => held);
  return release;
}

/** Returns whether a page of this browser shows a trial. Without locks (HTTP on another machine) no page is known to. */
export async function isTrialOpen(trial: Pick<TriedTarget, 'runs'>): Promise<boolean> {
  const { held = [] } = (await locks()?.query()) ?? {};
  return held.some(({ name }) => name === lockOf(trial));
}

function locks(): LockManager | undefined {
  return globalThis.navigator?.locks;
}
