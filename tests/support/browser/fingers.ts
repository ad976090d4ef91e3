import type { CDPSession, Page } from 'playwright/test';

type Point = { x: number; y: number };

/** Fingers on a touch screen: real touch events, from which the browser makes pointer events. */
export class Fingers {
  readonly #cdp: CDPSession;
  readonly #down = new Map<number, Point>();

  private constructor(cdp: CDPSession) {
    this.#cdp = cdp;
  }

  static async of(page: Page): Promise<Fingers> {
    return new Fingers(await page.context().newCDPSession(page));
  }

  async press(at: Point, finger = 0): Promise<this> {
    this.#down.set(finger, at);
    return this.#send('touchStart');
  }

  /** Moves fingers together, in steps as a hand does. */
  async move(to: Record<number, Point>): Promise<this> {
    const from = new Map(this.#down);
    for (const share of [0.25, 0.5, 0.75, 1]) {
      for (const [finger, end] of Object.entries(to)) {
        const start = from.get(Number(finger)) ?? end;
        this.#down.set(Number(finger), { x: start.x + (end.x - start.x) * share, y: start.y + (end.y - start.y) * share });
      }
      await this.#send('touchMove');
    }
    return this;
  }

  async lift(...fingers: number[]): Promise<this> {
    for (const finger of fingers.length > 0 ? fingers : [...this.#down.keys()]) this.#down.delete(finger);
    return this.#send('touchEnd');
  }

  async drag(from: Point, to: Point): Promise<this> {
    await this.press(from);
    await this.move({ 0: to });
    return this.lift();
  }

  async tap(at: Point): Promise<this> {
    await this.press(at);
    return this.lift();
  }

  async #send(type: 'touchStart' | 'touchMove' | 'touchEnd'): Promise<this> {
    const touchPoints = [...this.#down].map(([id, { x, y }]) => ({ id, x, y }));
    await this.#cdp.send('Input.dispatchTouchEvent', { type, touchPoints });
    return this;
  }
}
