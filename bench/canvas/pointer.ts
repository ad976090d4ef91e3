import type { CDPSession } from 'playwright';

type Button = 'none' | 'left' | 'middle';
const bits: Record<Button, number> = { none: 0, left: 1, middle: 4 };

/** A mouse with real browser events, each awaited before the next: about one a frame. */
export class Pointer {
  #x = 0;
  #y = 0;
  #held: Button = 'none';
  readonly #session: CDPSession;

  constructor(session: CDPSession) {
    this.#session = session;
  }

  async moveTo(x: number, y: number): Promise<void> {
    this.#x = x;
    this.#y = y;
    await this.#send('mouseMoved');
  }

  async press(button: 'left' | 'middle'): Promise<void> {
    this.#held = button;
    await this.#send('mousePressed', { clickCount: 1 });
  }

  async release(): Promise<void> {
    await this.#send('mouseReleased', { clickCount: 1, buttons: 0 });
    this.#held = 'none';
  }

  async wheel(deltaY: number): Promise<void> {
    await this.#send('mouseWheel', { deltaX: 0, deltaY });
  }

  async #send(type: 'mouseMoved' | 'mousePressed' | 'mouseReleased' | 'mouseWheel', more: Record<string, number> = {}): Promise<void> {
    await this.#session.send('Input.dispatchMouseEvent', {
      type,
      x: this.#x,
      y: this.#y,
      button: this.#held,
      buttons: bits[this.#held],
      pointerType: 'mouse',
      ...more,
    });
  }
}
