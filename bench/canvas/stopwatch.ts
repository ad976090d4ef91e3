import type { Page } from 'playwright';
import { quantile, rounded } from '../statistics.ts';
import { mainThreadMs } from './processor-time.ts';

export type Measured = {
  steps: number;
  /** Processor time of the renderer's main thread for one step, ms: the figure to compare. */
  mainMs: number;
  /** Wall time between frames, ms; includes raster in software where there is no GPU. */
  frameP50: number | null;
  frameP95: number | null;
  frameP99: number | null;
};

type Frames = { times: number[]; on: boolean };
type RecordedWindow = { __frames: Frames };

/**
 * Runs `step` until it returns false, `most` times, or until the cap (s, wall), and measures the work of the page's main
 * thread. Each step is one awaited input event; the frame that shows the last one is included.
 */
export async function measureSteps(
  { page, renderer, capSeconds }: { page: Page; renderer: number; capSeconds: number },
  most: number,
  step: (index: number) => Promise<boolean | undefined>,
): Promise<Measured> {
  await page.evaluate(startFrames);
  const before = mainThreadMs(renderer);
  const until = performance.now() + capSeconds * 1_000;
  let steps = 0;
  while (steps < most && performance.now() < until) {
    const goOn = await step(steps);
    steps++;
    if (goOn === false) break;
  }
  await nextFrame(page);
  const worked = mainThreadMs(renderer) - before;
  const times = await page.evaluate(stopFrames);
  const gaps = times.slice(1).map((time, index) => time - (times[index] as number));
  const [frameP50, frameP95, frameP99] = [0.5, 0.95, 0.99].map((share) => {
    const gap = quantile(gaps, share);
    return gap && rounded(gap);
  }) as [number | null, number | null, number | null];
  return { steps, mainMs: rounded(worked / steps), frameP50, frameP95, frameP99 };
}

/** Resolves when all earlier changes of the page have been painted. */
export async function nextFrame(page: Page): Promise<void> {
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolve, 0)))));
}

function startFrames(): void {
  const frames: Frames = { times: [], on: true };
  (window as unknown as RecordedWindow).__frames = frames;
  const record = (): void => {
    if (!frames.on) return;
    frames.times.push(performance.now());
    requestAnimationFrame(record);
  };
  requestAnimationFrame(record);
}

function stopFrames(): number[] {
  const frames = (window as unknown as RecordedWindow).__frames;
  frames.on = false;
  return frames.times;
}
