import type { CardState } from '../../../model/card-view.ts';

/** Signs of a card's state in a 16 x 16 box, each with its own shape, the signs of blocks at small zooms, and those of differences. */
export type StateGlyph =
  | CardState
  | 'activeArc'
  | 'check'
  | 'cross'
  | 'bars'
  | 'slash'
  | 'square'
  | 'dots'
  | 'plus'
  | 'minus'
  | 'pencil'
  | 'arrows';

type Pen = CanvasRenderingContext2D;

/** Draws the glyph in the context's fill and stroke colour. The card shows through its gaps. */
export function drawStateGlyph(pen: Pen, glyph: StateGlyph): void {
  pen.lineCap = 'round';
  pen.lineJoin = 'round';
  pen.lineWidth = 1.5;
  glyphs[glyph](pen);
}

const glyphs: Record<StateGlyph, (pen: Pen) => void> = {
  idle: (pen) => ring(pen, 5.75),
  waiting: (pen) => {
    pen.setLineDash([2.3, 2.215]);
    pen.lineCap = 'butt';
    ring(pen, 5.75);
    pen.setLineDash([]);
    pen.lineCap = 'round';
    line(pen, [8, 5.25], [8, 8.2], [10, 9.4]);
  },
  active: (pen) => {
    pen.globalAlpha = 0.28;
    pen.lineWidth = 1.75;
    ring(pen, 6);
    pen.globalAlpha = 1;
    disc(pen, 2.25);
  },
  activeArc: (pen) => {
    pen.lineWidth = 1.75;
    pen.beginPath();
    pen.arc(8, 8, 6, -Math.PI / 2, 0);
    pen.stroke();
  },
  paused: (pen) => {
    pen.beginPath();
    pen.roundRect(2.25, 2.25, 11.5, 11.5, 3);
    pen.stroke();
    line(pen, [6.4, 5.75], [6.4, 10.25]);
    line(pen, [9.6, 5.75], [9.6, 10.25]);
  },
  done: (pen) => {
    disc(pen, 7);
    cutOut(pen, () => check(pen));
  },
  failed: (pen) => {
    octagon(pen, 7.25);
    cutOut(pen, () => cross(pen, 2.4));
  },
  stopped: (pen) => {
    ring(pen, 5.75);
    pen.beginPath();
    pen.roundRect(5.5, 5.5, 5, 5, 1);
    pen.fill();
  },
  skipped: (pen) => {
    ring(pen, 5.75);
    line(pen, [4.1, 11.9], [11.9, 4.1]);
  },
  check: (pen) => {
    pen.lineWidth = 3;
    line(pen, [3, 8.4], [6.4, 11.8], [13, 4.6]);
  },
  cross: (pen) => {
    pen.lineWidth = 3;
    cross(pen, 4.6);
  },
  bars: (pen) => {
    pen.lineWidth = 3;
    line(pen, [5.2, 3.6], [5.2, 12.4]);
    line(pen, [10.8, 3.6], [10.8, 12.4]);
  },
  slash: (pen) => {
    pen.lineWidth = 3;
    line(pen, [3.4, 12.6], [12.6, 3.4]);
  },
  square: (pen) => {
    pen.beginPath();
    pen.rect(3.6, 3.6, 8.8, 8.8);
    pen.fill();
  },
  dots: (pen) => {
    for (const x of [2.4, 8, 13.6]) disc(pen, 1.8, x);
  },
  plus: (pen) => {
    pen.lineWidth = 2.6;
    line(pen, [8, 2.5], [8, 13.5]);
    line(pen, [2.5, 8], [13.5, 8]);
  },
  minus: (pen) => {
    pen.lineWidth = 2.6;
    line(pen, [2.5, 8], [13.5, 8]);
  },
  pencil: (pen) => {
    pen.lineWidth = 2;
    line(pen, [2.5, 13.5], [3.4, 10], [10.8, 2.6], [13.4, 5.2], [6, 12.6], [2.5, 13.5]);
  },
  arrows: (pen) => {
    pen.lineWidth = 2;
    line(pen, [2, 8], [14, 8]);
    line(pen, [10.4, 4.4], [14, 8], [10.4, 11.6]);
  },
};

function ring(pen: Pen, radius: number): void {
  pen.beginPath();
  pen.arc(8, 8, radius, 0, Math.PI * 2);
  pen.stroke();
}

function disc(pen: Pen, radius: number, x = 8): void {
  pen.beginPath();
  pen.arc(x, 8, radius, 0, Math.PI * 2);
  pen.fill();
}

function octagon(pen: Pen, radius: number): void {
  pen.beginPath();
  for (let i = 0; i < 8; i++) {
    const angle = Math.PI / 8 + (i * Math.PI) / 4;
    pen.lineTo(8 + radius * Math.cos(angle), 8 + radius * Math.sin(angle));
  }
  pen.closePath();
  pen.fill();
}

function check(pen: Pen): void {
  pen.lineWidth = 1.8;
  line(pen, [5, 8.2], [7.2, 10.4], [11.2, 5.8]);
}

function cross(pen: Pen, reach: number): void {
  line(pen, [8 - reach, 8 - reach], [8 + reach, 8 + reach]);
  line(pen, [8 - reach, 8 + reach], [8 + reach, 8 - reach]);
}

function cutOut(pen: Pen, draw: () => void): void {
  pen.globalCompositeOperation = 'destination-out';
  pen.lineWidth = 1.8;
  draw();
  pen.globalCompositeOperation = 'source-over';
}

function line(pen: Pen, ...points: [number, number][]): void {
  pen.beginPath();
  for (const [x, y] of points) pen.lineTo(x, y);
  pen.stroke();
}
