/** One frame in which the canvas was drawn. All times in ms. */
export type FrameRecord = {
  /** Since the page's start. */
  at: number;
  /** From the browser's frame before to this one. */
  gapMs: number;
  /** What scripts took of the main thread: input and everything up to the end of the drawing. */
  scriptMs: number;
  /** The same with style, layout and paint. */
  mainMs: number;
  /** What the scene alone took. */
  drawMs: number;
  nodesDrawn: number;
  drawCalls: number;
};

export type FrameSummary = {
  frames: number;
  gapP50: number | null;
  gapP95: number | null;
  gapP99: number | null;
  scriptP50: number | null;
  scriptP95: number | null;
  mainP50: number | null;
};

/** How frames went, as a whole; nulls where there are none. */
export function summarise(frames: readonly FrameRecord[]): FrameSummary {
  const gaps = sorted(frames, 'gapMs');
  const scripts = sorted(frames, 'scriptMs');
  return {
    frames: frames.length,
    gapP50: quantile(gaps, 0.5),
    gapP95: quantile(gaps, 0.95),
    gapP99: quantile(gaps, 0.99),
    scriptP50: quantile(scripts, 0.5),
    scriptP95: quantile(scripts, 0.95),
    mainP50: quantile(sorted(frames, 'mainMs'), 0.5),
  };
}

function sorted(frames: readonly FrameRecord[], key: 'gapMs' | 'scriptMs' | 'mainMs'): number[] {
  return frames.map((frame) => frame[key]).sort((a, b) => a - b);
}

function quantile(ascending: readonly number[], share: number): number | null {
  return ascending[Math.min(ascending.length - 1, Math.floor(share * ascending.length))] ?? null;
}
