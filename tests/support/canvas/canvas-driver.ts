import type { CanvasDocument, CanvasNode } from '../../../contract/canvas.ts';
import type { EphemeralState } from '../../../src/canvas/canvas-view.ts';
import { CanvasView } from '../../../src/canvas/canvas-view.ts';
import { Folding } from '../../../src/canvas/folding/folding.ts';
import { type Camera, type Point, toScreen, toWorld } from '../../../src/canvas/geometry/camera.ts';
import { DocumentIndex } from '../../../src/canvas/geometry/document-index.ts';
import { linkEnd } from '../../../src/canvas/geometry/link-end.ts';
import { touchedAll } from '../../../src/canvas/geometry/touched.ts';
import { hitTest } from '../../../src/canvas/hit-test.ts';
import { cancelTool, runTool } from '../../../src/canvas/tools/run-tool.ts';
import { idle, type PointerInput, type Step, type Tool } from '../../../src/canvas/tools/tool.ts';
import type { DocumentCommand } from '../../../src/model/commands.ts';
import { nodeSize } from '../../../src/model/document/node-size.ts';
import { foldWords } from './fold-words.ts';

export function agentAt(id: string, x: number, y: number): CanvasNode {
  return { id, type: 'agent', title: id, x, y, serverAgentId: id };
}

export function groupAt(id: string, x: number, y: number, width: number, height: number): CanvasNode {
  return { id, type: 'group', title: id, x, y, width, height };
}

export function noteAt(id: string, x: number, y: number): CanvasNode {
  return { id, type: 'note', title: '', description: 'text', x, y };
}

export function documentOf(nodes: CanvasNode[], links: [string, string][] = []): CanvasDocument {
  return {
    nodes: Object.fromEntries(nodes.map((node) => [node.id, node])),
    connections: Object.fromEntries(
      links.map(([from, to]) => [
        `${from}-${to}`,
        { id: `${from}-${to}`, from: { agentId: from, port: 'out' as const }, to: { agentId: to, port: 'in' as const } },
      ]),
    ),
  };
}

/** Drives the real tools and the real hit test without a browser. Points are CSS px; `on` and `port` return those of a card. */
export class CanvasDriver {
  readonly view = new CanvasView();
  readonly commands: DocumentCommand[] = [];
  /** Links that ended on an empty place. */
  readonly drops: NonNullable<Step['drop']>[] = [];
  editable = true;
  canSelectByMarquee = true;
  tool: Tool = idle;
  readonly #document: CanvasDocument;
  readonly #index = new DocumentIndex();
  readonly #held = { device: 'mouse' as PointerInput['device'], button: 0, adds: false, pans: false, free: false, copies: false };

  constructor(document: CanvasDocument, camera: Camera = { x: 0, y: 0, zoom: 1 }, folded: ReadonlySet<string> = new Set()) {
    this.#document = document;
    this.#index.update(folded.size > 0 ? new Folding(document, folded, foldWords) : document, touchedAll);
    this.view.update({ camera, size: { width: 1_000, height: 800 }, folded });
  }

  get ephemeral(): EphemeralState {
    return this.view.ephemeral;
  }

  with(held: Partial<Omit<PointerInput, 'type' | 'at' | 'pointerId'>>): this {
    Object.assign(this.#held, held);
    return this;
  }

  press(at: Point, pointerId = 1): this {
    return this.#feed('down', at, pointerId);
  }

  move(at: Point, pointerId = 1): this {
    return this.#feed('move', at, pointerId);
  }

  release(at: Point, pointerId = 1): this {
    return this.#feed('up', at, pointerId);
  }

  lose(pointerId = 1): this {
    return this.#feed('cancel', { x: 0, y: 0 }, pointerId);
  }

  drag(from: Point, to: Point): this {
    return this.press(from)
      .move({ x: (from.x + to.x) / 2, y: (from.y + to.y) / 2 })
      .move(to);
  }

  click(at: Point): this {
    return this.press(at).release(at);
  }

  escape(): this {
    const step = cancelTool(this.tool);
    if (step) this.#take(step);
    return this;
  }

  /** The middle of a card on the screen. */
  on(id: string): Point {
    const node = this.#node(id);
    const { width, height } = nodeSize(node);
    return toScreen(this.ephemeral.camera, { x: node.x + width / 2, y: node.y + height / 2 });
  }

  port(id: string, port: 'in' | 'out'): Point {
    return toScreen(this.ephemeral.camera, linkEnd(this.#node(id), port));
  }

  #node(id: string): CanvasNode {
    const node = this.#index.nodes.get(id);
    if (!node) throw new Error(`No card ${id}`);
    return node;
  }

  #feed(type: PointerInput['type'], at: Point, pointerId: number): this {
    const hit = (point: Point) => hitTest(this.#index, toWorld(this.ephemeral.camera, point), this.ephemeral.camera.zoom);
    this.#take(
      runTool(
        this.tool,
        { type, at, pointerId, ...this.#held },
        {
          ephemeral: this.ephemeral,
          document: this.#document,
          editable: this.editable,
          canSelectByMarquee: this.canSelectByMarquee,
          hit,
          index: this.#index,
        },
      ),
    );
    return this;
  }

  #take(step: Step): void {
    this.tool = step.tool;
    if (step.ephemeral) this.view.update(step.ephemeral);
    if (step.command) this.commands.push(step.command);
    if (step.drop) this.drops.push(step.drop);
  }
}
