import type { Locator, Page } from 'playwright';
import type { Agent } from '../../contract/agent.ts';
import type { CanvasDocument, CanvasNode } from '../../contract/canvas.ts';
import { enterAs, signUp } from '../../tests/support/browser/enter-workspace.ts';
import type { Point } from './hand.ts';

/** World px between a group's edge and its card. */
const groupPadding = 32;
const card = { width: 280, height: 156 };
const dialog = { width: 280, height: 236 };
/** A place of the page at which no job has a card (CSS px). */
const empty: Point = { x: 330, y: 640 };
/** Time for the canvas to be drawn, and for a camera to arrive (ms). */
const restMs = 1_500;

/** A new account's canvas with a dialog and a developer, and what lies where on it. Works with each version that has these elements. */
export class DrawingPage {
  readonly page: Page;
  readonly #url: string;
  readonly #places = new Map<string, Point>();
  #token = '';

  constructor(page: Page, url: string) {
    this.page = page;
    this.#url = url;
  }

  async open(): Promise<this> {
    const { session } = await signUp(this.page, this.#url, 'en');
    this.#token = session.accessToken;
    const developer = (await this.#call<Agent[]>('GET', '/nuroagent')).find(({ name }) => name === 'developer') as Agent;
    const { version } = await this.#call<{ version: number }>('GET', '/project/default/canvas');
    const { nodes, connections } = beginning(developer);
    await this.#call('PUT', '/project/default/canvas', { nodes, connections, baseVersion: version });
    for (const { id, x, y } of Object.values(nodes)) this.#places.set(id, { x, y });
    await enterAs(this.page, this.#url, session, 'en');
    await this.page.locator('[data-dialog-id]').first().waitFor({ timeout: 90_000 });
    const closed = await this.page.getByTestId('sidebar').locator('[aria-expanded="false"]').all();
    for (const section of closed.toReversed()) await section.click();
    await this.page.waitForTimeout(restMs);
    return this;
  }

  /** A row of the sidebar by its words. */
  row(words: string): Locator {
    return this.page.getByTestId('sidebar').getByRole('button', { name: new RegExp(`(^|\\s)${words}( \\d+)?$`) });
  }

  /** A row of the sidebar's people. */
  userRow(words: string): Locator {
    return this.row(words).last();
  }

  /** Where a card is dropped so that its corner is at a place of the world. The place is remembered by the name. */
  async middleAt(name: string, corner: Point): Promise<Point> {
    this.#places.set(name, corner);
    return this.#onScreen({ x: corner.x + card.width / 2, y: corner.y + card.height / 2 });
  }

  /** Where a link is dropped so that the card chosen there has its in port at the place. */
  async inPortAt(name: string, corner: Point): Promise<Point> {
    this.#places.set(name, corner);
    return this.port(name, 'in');
  }

  async port(name: string, port: 'in' | 'out'): Promise<Point> {
    const { x, y } = this.#places.get(name) ?? { x: Number.NaN, y: Number.NaN };
    const { width, height } = name === 'task' ? dialog : card;
    return this.#onScreen({ x: port === 'out' ? x + width : x, y: y + height / 2 });
  }

  /** A part of a card that is no control. */
  async titleOf(name: string): Promise<Point> {
    const { x, y } = this.#places.get(name) ?? { x: Number.NaN, y: Number.NaN };
    return this.#onScreen({ x: x + card.width / 2, y: y + 22 });
  }

  /** Remembers where the only other card of an agent or a person was placed, by a name. */
  async rememberPlaced(name: string): Promise<Point> {
    const placedIn = ({ nodes }: CanvasDocument) => Object.values(nodes).find(({ id, type }) => type === 'agent' && id !== 'developer');
    const { document } = await this.saved((one) => placedIn(one) !== undefined);
    const { x = Number.NaN, y = Number.NaN } = placedIn(document) ?? {};
    this.#places.set(name, { x, y });
    return { x, y };
  }

  /** The newest link between cards whose lines in the list begin with these titles. */
  async link(from: string, to: string): Promise<string> {
    const idOf = (title: string) =>
      this.page
        .getByTestId('canvas-outline')
        .locator('[data-node-id]')
        .filter({ hasText: new RegExp(`^${title},`) })
        .last()
        .getAttribute('data-node-id');
    const line = this.page.locator(`[data-link-id][data-from="${await idOf(from)}"][data-to="${await idOf(to)}"]`);
    await line.waitFor({ state: 'attached' });
    return (await line.getAttribute('data-link-id')) ?? '';
  }

  badge(linkId: string): Locator {
    return this.page.locator(`[data-link-badge="${linkId}"]`);
  }

  /** The middle of a link, where its badge is placed. The list of cards selects the link for it; a press on an empty place ends that. */
  async middleOf(linkId: string): Promise<Point> {
    const badge = this.badge(linkId);
    const isShown = await badge.isVisible();
    if (!isShown) await this.page.locator(`[data-link-id="${linkId}"]`).focus();
    await badge.waitFor();
    const box = await badge.locator('..').boundingBox();
    if (!isShown) {
      await this.page.mouse.click(empty.x, empty.y);
      await badge.waitFor({ state: 'hidden' });
    }
    return box ?? { x: Number.NaN, y: Number.NaN };
  }

  /** The name of a group around one card. */
  async groupNameAbove(name: string): Promise<Point> {
    const { x, y } = this.#places.get(name) ?? { x: Number.NaN, y: Number.NaN };
    return this.#onScreen({ x: x - groupPadding + 24, y: y - groupPadding - 12 });
  }

  /** The canvas as the server has it, once it is what is wanted; else the canvas as it is. */
  async saved(isWanted: (document: CanvasDocument) => boolean): Promise<{ document: CanvasDocument; isDone: boolean }> {
    for (let asked = 0; ; asked += 1) {
      const document = await this.#call<CanvasDocument>('GET', '/project/default/canvas');
      const isDone = isWanted(document);
      if (isDone || asked === 15) return { document, isDone };
      await this.page.waitForTimeout(500);
    }
  }

  /** How many steps of the project run at the same time. */
  async parallelSteps(): Promise<number> {
    const projects = await this.#call<{ parallelSteps?: number }[]>('GET', '/project');
    return projects[0]?.parallelSteps ?? 1;
  }

  /** The dialog's form shows where its card is, and at which zoom. */
  async #onScreen({ x, y }: Point): Promise<Point> {
    const box = await this.page.locator('[data-dialog-id="task"]').boundingBox();
    if (!box) throw new Error('The dialog is not in view.');
    const zoom = box.width / dialog.width;
    return { x: box.x + x * zoom, y: box.y + y * zoom };
  }

  async #call<T>(method: string, path: string, data?: unknown): Promise<T> {
    const answer = await this.page.request.fetch(`${this.#url}/api${path}`, {
      ...{ method, data },
      headers: { Authorization: `Bearer ${this.#token}` },
    });
    if (!answer.ok()) throw new Error(`${method} ${path}: ${answer.status()} ${await answer.text()}`);
    return (await answer.json()) as T;
  }
}

/** A dialog and a developer. A note at the end of the page makes room for what is drawn between. */
function beginning({ id: serverAgentId, title, name, role }: Agent) {
  const nodes: CanvasNode[] = [
    { id: 'task', type: 'dialog', title: 'Task', goal: 'Build it', x: 0, y: 0 },
    { id: 'developer', type: 'agent', title, name, role, serverAgentId, x: 350, y: 40 },
    { id: 'edge', type: 'note', title: 'Shop', x: 1_170, y: 420, width: 160, height: 60 },
  ];
  const first = { id: 'conn-task-developer', from: { agentId: 'task', port: 'out' }, to: { agentId: 'developer', port: 'in' } };
  return { nodes: Object.fromEntries(nodes.map((node) => [node.id, node])), connections: { [first.id]: first } };
}
