import { expect, type Locator, type Page } from 'playwright/test';
import type { BenchGraph, BenchNode } from '../../../src/app/bench/bench-graph.ts';
import type {} from '../../../src/app/bench/window-bench.ts';
import type { Camera } from '../../../src/canvas/geometry/camera.ts';
import { afterFrames } from '../browser/after-frames.ts';

type Point = { x: number; y: number };
/** `kind` defaults to an agent; `status`: 0 free, 1 running, 2 done, 3 failed. */
type Card = Point & Partial<Pick<BenchNode, 'kind' | 'status' | 'title' | 'desc'>>;
type CardName = string;

const card = { width: 280, height: 156 };

/** The workspace without a server, driven by a real mouse, wheel and keyboard. Cards are named by their ids. */
export class BenchPage {
  readonly page: Page;
  #ids: string[] = [];

  constructor(page: Page) {
    this.page = page;
  }

  /** Opens the page with the cards at these positions (world px of their top-left corners) and with these links. */
  async open(cards: Record<CardName, Card>, links: [CardName, CardName][] = [], { readOnly = false } = {}): Promise<this> {
    await this.openOwn(0, readOnly ? '&readonly' : '');
    return this.fill(cards, links);
  }

  /**
   * Shows the cards and links on a page that an earlier test may have used. Its pointer, focus, menus, selection and undo steps are gone. What
   * a test changes in the panels it must change back.
   */
  async show(cards: Record<CardName, Card>, links: [CardName, CardName][] = []): Promise<this> {
    if (!this.page.url().endsWith('/bench?n=0')) return this.open(cards, links);
    await this.page.mouse.move(0, 0);
    for (let layers = 0; layers < 2; layers++) await this.page.keyboard.press('Escape');
    await this.page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
    return this.fill(cards, links);
  }

  /** Replaces the cards and links of the open page. */
  async fill(cards: Record<CardName, Card>, links: [CardName, CardName][] = []): Promise<this> {
    const graph: BenchGraph = {
      nodes: Object.entries(cards).map(([id, at], i) => ({ id, role: i % 8, status: 0, title: id, desc: '', ...at })),
      links: links.map(([source, target]) => ({ id: `${source}-${target}`, source, target })),
    };
    await this.page.evaluate((given) => window.__bench?.setGraph(given), graph);
    this.#ids = Object.keys(cards);
    await this.look({ x: 320, y: 120, zoom: 1 });
    return this;
  }

  /** Opens the page with a graph of `n` cards that the page generates: a dialog and agents. `query`: more parameters, from `&` on. */
  async openOwn(n: number, query = ''): Promise<this> {
    await this.page.goto(`/bench?n=${n}${query}`);
    await this.page.waitForFunction(() => window.__bench !== undefined);
    await this.page.evaluate(() => window.__bench?.ready);
    this.#ids = Array.from({ length: n }, (_, i) => `n${i}`);
    return this;
  }

  /** Sets the camera, and resolves when what lies over the canvas has followed it. */
  async look(camera: Camera): Promise<void> {
    await this.page.evaluate((given) => window.__bench?.setCamera(given), camera);
    await afterFrames(this.page);
  }

  /** Waits until the text is laid out for the zoom that is shown, and drawn. */
  async atRest(): Promise<void> {
    await this.page.waitForFunction(() => window.__bench?.stats().isAtRest);
    await afterFrames(this.page);
  }

  async camera(): Promise<Camera> {
    return this.page.evaluate(() => window.__bench?.camera() ?? { x: Number.NaN, y: Number.NaN, zoom: Number.NaN });
  }

  /** The top-left corner of a card in the document (world px). */
  async at(id: CardName): Promise<Point> {
    return this.page.evaluate((place) => window.__bench?.nodePos(place) ?? { x: Number.NaN, y: Number.NaN }, this.#ids.indexOf(id));
  }

  /** The cards and links of the document. */
  async document(): Promise<{ nodes: { id: string; title: string; x: number; y: number }[]; links: { from: string; to: string }[] }> {
    return this.page.evaluate(() => {
      const { nodes, connections } = window.__bench?.document() ?? { nodes: {}, connections: {} };
      return {
        nodes: Object.values(nodes).map(({ id, title, x, y }) => ({ id, title, x, y })),
        links: Object.values(connections).map(({ from, to }) => ({ from: from.agentId, to: to.agentId })),
      };
    });
  }

  /** Ids of the selected cards. */
  async selected(): Promise<string[]> {
    return this.page.evaluate(() => window.__bench?.selected() ?? []);
  }

  async middleOf(id: CardName): Promise<Point> {
    return this.#onScreen(id, { x: card.width / 2, y: card.height / 2 });
  }

  async port(id: CardName, port: 'in' | 'out'): Promise<Point> {
    return this.#onScreen(id, { x: port === 'out' ? card.width : 0, y: card.height / 2 });
  }

  async drag(from: Point, to: Point, button: 'left' | 'middle' = 'left'): Promise<void> {
    await this.page.mouse.move(from.x, from.y);
    await this.page.mouse.down({ button });
    await this.page.mouse.move((from.x + to.x) / 2, (from.y + to.y) / 2);
    await this.page.mouse.move(to.x, to.y);
    await this.page.mouse.up({ button });
  }

  async click({ x, y }: Point): Promise<void> {
    await this.page.mouse.click(x, y);
  }

  /** A point on a row of the sidebar, found by its text. Closed sections are opened. */
  async row(words: string): Promise<Point> {
    const sidebar = this.page.getByTestId('sidebar');
    for (const closed of (await sidebar.locator('[aria-expanded="false"]').all()).toReversed()) await closed.click();
    const name = new RegExp(`(^|\\s)${words}( \\d+)?$`);
    const row = sidebar.getByRole('button', { name }).first();
    await row.scrollIntoViewIfNeeded();
    const box = await row.boundingBox();
    if (!box) throw new Error(`No row for ${words}`);
    return { x: box.x + 60, y: box.y + box.height / 2 };
  }

  card(id: CardName): Locator {
    return this.page.locator(`[data-testid="canvas-outline"] [data-node-id="${id}"]`);
  }

  link(from: CardName, to: CardName): Locator {
    return this.page.locator(`[data-testid="canvas-outline"] [data-from="${from}"][data-to="${to}"]`);
  }

  async expectCards(...ids: CardName[]): Promise<void> {
    const listed = this.page.locator('[data-testid="canvas-outline"] [data-node-id]');
    await expect
      .poll(async () => (await listed.evaluateAll((all) => all.map((one) => (one as HTMLElement).dataset.nodeId))).sort())
      .toEqual([...ids].sort());
  }

  async #onScreen(id: CardName, offset: Point): Promise<Point> {
    const [{ x, y, zoom }, at] = [await this.camera(), await this.at(id)];
    return { x: (at.x + offset.x) * zoom + x, y: (at.y + offset.y) * zoom + y };
  }
}
