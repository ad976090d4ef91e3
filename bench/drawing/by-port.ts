import { connect, fillName, group, places, runTogether } from './by-sidebar.ts';
import type { DrawingPage } from './drawing-page.ts';
import type { Hand, Point } from './hand.ts';
import type { Draw } from './jobs.ts';

/** A link is dropped on an empty place, and the card chosen there; loops and buttons get their names by one press, or of themselves. */
export const branches: Draw = async (canvas, hand) => {
  await choose(canvas, hand, 'developer', 'Analyst', places.above);
  await choose(canvas, hand, 'developer', 'QA engineer', places.below);
  await choose(canvas, hand, 'Analyst', 'Assistant', places.last);
  await connect(canvas, hand, 'QA engineer', 'Assistant');
  await runTogether(canvas, hand);
};

export const alternatives: Draw = async (canvas, hand) => {
  await choose(canvas, hand, 'developer', 'Analyst', places.above);
  await choose(canvas, hand, 'developer', 'QA engineer', places.below);
  await name(canvas, hand, 'Analyst', 'question');
  await name(canvas, hand, 'QA engineer', 'bug');
};

export const review: Draw = async (canvas, hand) => {
  await choose(canvas, hand, 'developer', 'QA engineer', places.next);
  await choose(canvas, hand, 'QA engineer', 'Assistant', places.last);
  await hand.drag(await canvas.port('QA engineer', 'out'), await canvas.titleOf('developer'));
  await hand.click(canvas.page.getByTestId('taking-part'));
  await hand.click(canvas.page.locator('[data-cure="labelLoop"]'));
};

export const person: Draw = async (canvas, hand) => {
  await choose(canvas, hand, 'developer', 'Tester', places.next);
  await choose(canvas, hand, 'Tester', 'Assistant', places.last);
};

export const forEach: Draw = async (canvas, hand) => {
  await choose(canvas, hand, 'developer', 'QA engineer', places.next);
  await group(canvas, hand, 'QA engineer');
};

export async function choose(canvas: DrawingPage, hand: Hand, from: string, to: string, corner: Point): Promise<void> {
  await hand.drag(await canvas.port(from, 'out'), await canvas.inPortAt(to, corner));
  await hand.click(canvas.page.getByRole('menuitem', { name: to, exact: true }).first());
}

/** A double click opens the settings of a link. */
async function name(canvas: DrawingPage, hand: Hand, to: string, label: string): Promise<void> {
  await hand.doubleClick(await canvas.middleOf(await canvas.link('Developer', to)));
  await fillName(canvas, hand, label, false);
}
