import { translator } from '../../tests/support/browser/translate.ts';
import { choose } from './by-port.ts';
import { runTogether } from './by-sidebar.ts';
import type { DrawingPage } from './drawing-page.ts';
import type { Hand } from './hand.ts';
import type { Draw } from './jobs.ts';

type Pattern = 'review' | 'choice' | 'forEach' | 'person' | 'parallel';

const names = translator('en', 'workspace', 'pattern.');

/** The sidebar's ready pattern is placed behind the selected developer. */
export function alone(pattern: Pattern): Draw {
  return async (canvas, hand) => {
    await place(canvas, hand, pattern);
  };
}

/** The same, with branches that run together. */
export const branches: Draw = async (canvas, hand) => {
  await place(canvas, hand, 'parallel');
  await runTogether(canvas, hand);
};

/** A person, and the card that gets what the person approves. */
export const personWithNext: Draw = async (canvas, hand) => {
  await place(canvas, hand, 'person');
  const { x, y } = await canvas.rememberPlaced('person');
  await choose(canvas, hand, 'person', 'Assistant', { x: x + 350, y });
};

async function place(canvas: DrawingPage, hand: Hand, pattern: Pattern): Promise<void> {
  await hand.click(await canvas.titleOf('developer'));
  await hand.click(canvas.row(names(pattern)).first());
}
