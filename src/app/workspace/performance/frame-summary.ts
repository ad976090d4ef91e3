/** One frame in which the canvas was drawn. All times in ms. */
export type FrameRecord = {
  /** Since the page's start. */
  at: number;
  /** Since the browser's previous frame. */
  gapMs: number;
  /** The time of scripts on the main thread: from input to the end of drawing. */
  scriptMs: number;
  /** The same, including style, layout and paint. */
  mainMs: number;
  /** The time of only the scene. */
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

/** Summarises frames as percentiles; null without frames. */
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
