import type { CDPSession, Page } from 'playwright';
import type { BenchWindow, Camera, Point } from './adapter.ts';
import { cardHeight, cardWidth, type Graph } from './graph.ts';
import { Pointer } from './pointer.ts';
import { type Measured, measureSteps, nextFrame } from './stopwatch.ts';

export const viewWidth = 1_600;
export const viewHeight = 900;

type Traits = { panButton: 'left' | 'middle'; wheelDelta: number; grab: { dx: number; dy: number } | null; canSelect: boolean };

/** One open page with its graph, as the scenarios see it: camera, mouse, and the stopwatch. */
export class BenchPage {
  readonly pointer: Pointer;
  readonly page: Page;
  readonly graph: Graph;
  readonly traits: Traits;
  readonly #renderer: number;
  readonly #capSeconds: number;

  constructor(page: Page, session: CDPSession, options: { graph: Graph; traits: Traits; renderer: number; capSeconds: number }) {
    this.page = page;
    this.pointer = new Pointer(session);
    this.graph = options.graph;
    this.traits = options.traits;
    this.#renderer = options.renderer;
    this.#capSeconds = options.capSeconds;
  }

  measure(most: number, step: (index: number) => Promise<boolean | undefined>, { capTimes = 1 } = {}): Promise<Measured> {
    return measureSteps({ page: this.page, renderer: this.#renderer, capSeconds: this.#capSeconds * capTimes }, most, step);
  }

  camera(): Promise<Camera> {
    return this.page.evaluate(() => {
      const { x, y, zoom } = (window as unknown as BenchWindow).__bench.camera();
      return { x, y, zoom };
    });
  }

  /** Shows a world point in the middle of the view, and waits until it is painted. */
  async lookAt({ x, y }: Point, zoom: number): Promise<void> {
    const camera = { zoom, x: viewWidth / 2 - x * zoom, y: viewHeight / 2 - y * zoom };
    await this.page.evaluate((to) => (window as unknown as BenchWindow).__bench.setCamera(to), camera);
    await this.settled();
  }

  /** World top left of a node, from the page's own document. */
  position(index: number): Promise<Point> {
    return this.page.evaluate((i) => {
      const { x, y } = (window as unknown as BenchWindow).__bench.nodePos(i);
      return { x, y };
    }, index);
  }

  async select(indices: number[]): Promise<void> {
    await this.page.evaluate((list) => (window as unknown as BenchWindow).__bench.select?.(list), indices);
    await this.settled();
  }

  /** Returns the current middle of the hub's card (world px). */
  async hubCentre(): Promise<Point> {
    const { x, y } = await this.position(this.graph.hub);
    return { x: x + cardWidth / 2, y: y + cardHeight / 2 };
  }

  /** Returns the point on the screen at which the card in the middle of the view can be dragged, at a zoom. */
  handle(zoom: number): Point {
    const { dx, dy } = this.traits.grab ?? { dx: cardWidth / 2, dy: cardHeight / 2 };
    return { x: viewWidth / 2 + (dx - cardWidth / 2) * zoom, y: viewHeight / 2 + (dy - cardHeight / 2) * zoom };
  }

  async settled(): Promise<void> {
    await nextFrame(this.page);
    await nextFrame(this.page);
  }
}
