import { translator } from '../../tests/support/browser/translate.ts';
import type { DrawingPage } from './drawing-page.ts';
import type { Hand, Point } from './hand.ts';
import type { Draw } from './jobs.ts';

const links = translator('en', 'links');
const words = translator('en', 'canvas');
const choices = translator('en', 'actions', 'run.');

/** Time for a setting of the project that follows from what was drawn to be stored (ms). */
const restMs = 1_000;

/** Places behind the developer: a column, a column after it, and rows above and below. */
export const places = { next: { x: 700, y: 40 }, above: { x: 700, y: -120 }, below: { x: 700, y: 200 }, last: { x: 1_050, y: 40 } };

/** Cards are dragged from the sidebar, and links from port to port. */
export const branches: Draw = async (canvas, hand) => {
  await drop(canvas, hand, 'Analyst', places.above);
  await drop(canvas, hand, 'QA engineer', places.below);
  await drop(canvas, hand, 'Assistant', places.last);
  for (const to of ['Analyst', 'QA engineer']) await connect(canvas, hand, 'developer', to);
  for (const from of ['Analyst', 'QA engineer']) await connect(canvas, hand, from, 'Assistant');
  await runTogether(canvas, hand);
};

export const alternatives: Draw = async (canvas, hand) => {
  await drop(canvas, hand, 'Analyst', places.above);
  await drop(canvas, hand, 'QA engineer', places.below);
  for (const to of ['Analyst', 'QA engineer']) await connect(canvas, hand, 'developer', to);
  await name(canvas, hand, 'Developer', 'Analyst', 'question', { run: 'upright' });
  await name(canvas, hand, 'Developer', 'QA engineer', 'bug', { run: 'upright' });
};

export const review: Draw = async (canvas, hand) => {
  await drop(canvas, hand, 'QA engineer', places.next);
  await drop(canvas, hand, 'Assistant', places.last);
  await connect(canvas, hand, 'developer', 'QA engineer');
  await connect(canvas, hand, 'QA engineer', 'Assistant');
  await connect(canvas, hand, 'QA engineer', 'developer');
  await name(canvas, hand, 'QA engineer', 'Developer', 'rework', { loops: true });
  await name(canvas, hand, 'QA engineer', 'Assistant', 'accepted');
};

export const person: Draw = async (canvas, hand) => {
  await hand.drag(canvas.userRow('Tester'), await canvas.middleAt('Tester', places.next));
  await drop(canvas, hand, 'Assistant', places.last);
  await connect(canvas, hand, 'developer', 'Tester');
  await connect(canvas, hand, 'Tester', 'Assistant');
  await connect(canvas, hand, 'Tester', 'developer');
  await hand.click(await canvas.titleOf('Tester'), 'right');
  await hand.click(canvas.page.getByRole('menuitemcheckbox', { name: choices('words:asksPerson') }));
  await name(canvas, hand, 'Tester', 'Assistant', 'Approve');
  await name(canvas, hand, 'Tester', 'Developer', 'Change', { loops: true });
};

export const forEach: Draw = async (canvas, hand) => {
  await drop(canvas, hand, 'QA engineer', places.next);
  await connect(canvas, hand, 'developer', 'QA engineer');
  await group(canvas, hand, 'QA engineer');
};

/** Lets branches run together, where they do not of themselves. */
export async function runTogether(canvas: DrawingPage, hand: Hand): Promise<void> {
  await canvas.page.waitForTimeout(restMs);
  if ((await canvas.parallelSteps()) !== 1) return;
  await hand.click(canvas.page.getByTestId('run-settings'));
  await hand.click(canvas.page.getByTestId('parallel-switch'));
}

/** Puts a card into a group that works through a list. */
export async function group(canvas: DrawingPage, hand: Hand, card: string): Promise<void> {
  await hand.click(await canvas.titleOf(card));
  await hand.press('Control+g');
  await hand.press('Enter');
  await hand.click(await canvas.groupNameAbove(card), 'right');
  await hand.click(canvas.page.getByRole('menuitemradio', { name: choices('list.stop') }));
}

async function drop(canvas: DrawingPage, hand: Hand, agent: string, corner: Point): Promise<void> {
  await hand.drag(canvas.row(agent).first(), await canvas.middleAt(agent, corner));
}

export async function connect(canvas: DrawingPage, hand: Hand, from: string, to: string): Promise<void> {
  await hand.drag(await canvas.port(from, 'out'), await canvas.port(to, 'in'));
}

/** Where a link is pressed beside its middle (CSS px): a button that removes it may appear under a pointer that comes to the middle. */
const aside = { level: { x: -18, y: 0 }, upright: { x: 0, y: 25 } };

/** Gives a link a name in its settings: it is selected, and its badge opens them. */
async function name(
  canvas: DrawingPage,
  hand: Hand,
  from: string,
  to: string,
  label: string,
  { loops = false, run = 'level' }: { loops?: boolean; run?: keyof typeof aside } = {},
): Promise<void> {
  const id = await canvas.link(from, to);
  const { x, y } = await canvas.middleOf(id);
  if (!(await canvas.badge(id).isVisible())) await hand.click({ x: x + aside[run].x, y: y + aside[run].y });
  await hand.click(canvas.badge(id));
  await fillName(canvas, hand, label, loops);
}

/** The rest of it, once the settings are open. */
export async function fillName({ page }: DrawingPage, hand: Hand, label: string, loops: boolean): Promise<void> {
  await hand.click(page.getByLabel(links('taken')));
  await hand.click(page.getByRole('option', { name: links('when.label') }));
  await hand.click(page.getByLabel(links('words:label'), { exact: true }));
  await hand.type(label);
  const loop = page.getByLabel(links('loop'));
  if (loops && !(await loop.isChecked())) await hand.click(loop);
  await hand.click(page.getByRole('button', { name: words('words:save') }));
  await page.getByText(links('settings'), { exact: true }).waitFor({ state: 'hidden' });
}
