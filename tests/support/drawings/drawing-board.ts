import { expect, type Page } from 'playwright/test';
import type { CanvasDocument } from '../../../contract/canvas.ts';
import type { LinkSettings } from '../../../contract/executions/run-graph.ts';
import type {} from '../../../src/app/bench/window-bench.ts';
import { nodeSize } from '../../../src/model/document/node-size.ts';
import { translator } from '../browser/translate.ts';
import { BenchPage } from '../canvas/bench-page.ts';
import { canvasOf, type Drawing } from './drawing.ts';

type Point = { x: number; y: number };
type DrawnLink = readonly [from: string, to: string, run?: LinkSettings];

const words = translator('ru', 'links');
/** All columns of a drawing are in view, and the words of its badges can be read. */
const camera = { x: 290, y: 130, zoom: 0.46 };

/** A canvas with the cards of a drawing, on which a mouse and a keyboard draw its links. */
export class DrawingBoard {
  readonly page: Page;
  readonly #canvas: BenchPage;

  constructor(page: Page) {
    this.page = page;
    this.#canvas = new BenchPage(page);
  }

  async open(): Promise<this> {
    await this.#canvas.openOwn(0);
    return this;
  }

  /** Shows the cards that are no person's: people are chosen where a link ends. */
  async show(drawing: Drawing): Promise<void> {
    const { nodes } = canvasOf(drawing);
    const shown = Object.entries(drawing.cards).filter(([, { kind }]) => kind === 'agent' || kind === 'dialog');
    await this.#canvas.fill(
      Object.fromEntries(
        shown.map(([id, { kind }]) => {
          const { x = 0, y = 0 } = nodes[id] ?? {};
          return [id, kind === 'dialog' ? { x, y, kind, title: id } : { x, y, title: id }];
        }),
      ),
    );
    await this.#canvas.look(camera);
  }

  /** Draws a link to the upper part of a card, where it has no port. */
  async link(from: string, to: string): Promise<void> {
    const target = await this.#boxOf(to);
    await this.#canvas.drag(await this.#outPort(from), { x: target.x + target.width / 2, y: target.y + 0.2 * target.height });
  }

  /** Draws a link to an empty place, and chooses the card that is placed there. */
  async linkToNew(from: string, place: Point, title: string): Promise<string> {
    const { nodes: before } = await this.document();
    await this.#canvas.drag(await this.#outPort(from), this.#onScreen(place));
    await this.page.getByRole('menuitem', { name: title, exact: true }).last().click();
    const placed = async () => Object.keys((await this.document()).nodes).filter((id) => !Object.hasOwn(before, id));
    await expect.poll(async () => (await placed()).length).toBe(1);
    return (await placed())[0] ?? '';
  }

  /** Sets when a link is taken, with the keyboard's way to its settings. */
  async setTaken(from: string, to: string, { label, onFailure }: LinkSettings): Promise<void> {
    await this.#canvas.link(from, to).focus();
    await this.page.keyboard.press('e');
    await this.page.getByLabel(words('taken')).click();
    await this.page.getByRole('option', { name: words(onFailure ? 'when.failure' : 'when.label') }).click();
    if (label !== undefined) await this.page.getByLabel(words('words:label'), { exact: true }).fill(label);
    await this.page.getByRole('button', { name: translator('ru', 'canvas')('words:save') }).click();
    await expect(this.page.getByText(words('settings'), { exact: true })).toHaveCount(0);
  }

  /** Puts a card into a group that works through a list. */
  async makeList(card: string): Promise<void> {
    await this.#canvas.card(card).focus();
    await this.page.keyboard.press('Control+g');
    await this.page.keyboard.press('Enter');
    await this.page.locator('[data-testid="canvas-outline"] [data-node-type="group"]').focus();
    await this.page.keyboard.press('Shift+F10');
    await this.page.getByRole('menuitemradio', { name: translator('ru', 'actions')('run.list.stop') }).click();
  }

  async document(): Promise<CanvasDocument> {
    return this.page.evaluate(() => window.__bench?.document() ?? { nodes: {}, connections: {} });
  }

  /** The links of the canvas, as drawings have them. */
  async links(): Promise<DrawnLink[]> {
    const { connections } = await this.document();
    return sorted(
      Object.values(connections).map(({ from, to, run }) => (run ? [from.agentId, to.agentId, run] : [from.agentId, to.agentId])),
    );
  }

  async #boxOf(id: string): Promise<Point & { width: number; height: number }> {
    const node = (await this.document()).nodes[id];
    if (!node) throw new Error(`No card ${id}`);
    const { width, height } = nodeSize(node);
    return { ...this.#onScreen(node), width: width * camera.zoom, height: height * camera.zoom };
  }

  async #outPort(id: string): Promise<Point> {
    const { x, y, width, height } = await this.#boxOf(id);
    return { x: x + width, y: y + height / 2 };
  }

  #onScreen({ x, y }: Point): Point {
    return { x: x * camera.zoom + camera.x, y: y * camera.zoom + camera.y };
  }
}

/** Links in an order that does not depend on when they were drawn. */
export function sorted(links: readonly DrawnLink[]): DrawnLink[] {
  return links.toSorted((a, b) => (`${a[0]} ${a[1]}` < `${b[0]} ${b[1]}` ? -1 : 1));
}
