import { setTimeout as wait } from 'node:timers/promises';
import type { Locator, Page } from 'playwright';

export type Point = { x: number; y: number };

/** Times of the keystroke-level model of Card, Moran and Newell (ms): to point at something, to press a button, to press a key. */
const pace = { point: 1_100, press: 100, key: 200 };
/** Moves of the mouse on the way to a target. */
const movesPerPoint = 12;

/** A mouse and a keyboard at a person's pace, without pauses to think. Counts presses of mouse buttons and of keys. */
export class Hand {
  presses = 0;
  keys = 0;
  /** Time at work and time in which the page was waited for (ms). What `aside` does has none. */
  ms = 0;
  readonly #page: Page;
  #at: Point = { x: 0, y: 0 };

  constructor(page: Page) {
    this.#page = page;
  }

  async click(target: Point | Locator, button: 'left' | 'right' = 'left'): Promise<void> {
    await this.#timed(async () => {
      await this.#point(await placeOf(target));
      await this.#press(button);
    });
  }

  async doubleClick(target: Point | Locator): Promise<void> {
    await this.#timed(async () => {
      await this.#point(await placeOf(target));
      this.presses += 2;
      await wait(2 * pace.press);
      await this.#page.mouse.dblclick(this.#at.x, this.#at.y);
    });
  }

  async drag(from: Point | Locator, to: Point): Promise<void> {
    await this.#timed(async () => {
      await this.#point(await placeOf(from));
      this.presses += 1;
      await this.#page.mouse.down();
      await this.#point(to);
      await wait(pace.press);
      await this.#page.mouse.up();
    });
  }

  async press(key: string): Promise<void> {
    await this.#timed(async () => {
      this.keys += 1;
      await wait(pace.key);
      await this.#page.keyboard.press(key);
    });
  }

  /** Types into what has the focus. */
  async type(text: string): Promise<void> {
    await this.#timed(async () => {
      for (const letter of text) {
        this.keys += 1;
        await wait(pace.key);
        await this.#page.keyboard.type(letter);
      }
    });
  }

  async #press(button: 'left' | 'right'): Promise<void> {
    this.presses += 1;
    await wait(pace.press);
    await this.#page.mouse.down({ button });
    await this.#page.mouse.up({ button });
  }

  async #point(to: Point): Promise<void> {
    const from = this.#at;
    const begun = performance.now();
    for (let move = 1; move <= movesPerPoint; move += 1) {
      const part = move / movesPerPoint;
      await this.#page.mouse.move(from.x + (to.x - from.x) * part, from.y + (to.y - from.y) * part);
      // A move that the page took long for is not waited for again.
      await wait(Math.max(0, begun + pace.point * part - performance.now()));
    }
    this.#at = to;
  }

  async #timed(act: () => Promise<void>): Promise<void> {
    const begun = performance.now();
    await act();
    this.ms += performance.now() - begun;
  }
}

/** The middle of an element, once it is there. */
async function placeOf(target: Point | Locator): Promise<Point> {
  if (!('boundingBox' in target)) return target;
  await target.waitFor();
  const box = await target.boundingBox();
  if (!box) throw new Error(`Nothing is shown of ${target}`);
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}
