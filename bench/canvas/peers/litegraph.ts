import { LGraph, LGraphCanvas, LGraphNode, LiteGraph } from '@comfyorg/litegraph';
import '@comfyorg/litegraph/style.css';
import { cardHeight, cardWidth, type Graph, type GraphNode } from '../graph.ts';
import { roleOf, stateOf } from './colours.ts';
import { offer, pageRoot } from './offer.ts';

/** LiteGraph's own title bar is part of the card. */
const titleHeight = 30;

class AgentNode extends LGraphNode {
  card: GraphNode | null = null;

  constructor() {
    super('Agent');
    this.addInput('in', '*');
    this.addOutput('out', '*');
    this.size = [cardWidth, cardHeight - titleHeight];
  }

  override onDrawForeground(context: CanvasRenderingContext2D): void {
    if (this.card === null || this.graph?.list_of_graphcanvas?.[0]?.low_quality) return;
    const [state, stateColour] = stateOf(this.card.status);
    context.font = '13px sans-serif';
    context.textAlign = 'left';
    context.fillStyle = '#a9b2c7';
    for (const [line, text] of this.card.desc.split('\n').entries()) context.fillText(text, 14, 46 + 18 * line);
    context.fillStyle = stateColour;
    context.beginPath();
    context.arc(18, 108, 4.5, 0, 7);
    context.fill();
    context.fillStyle = '#e8ecf5';
    context.fillText(`${state} · ${roleOf(this.card.role)[0]}`, 28, 112);
  }
}

LiteGraph.MAX_NUMBER_OF_NODES = 1_000_000; // Its default is 10,000.
LiteGraph.registerNodeType('bench/agent', AgentNode);
const element = document.createElement('canvas');
element.width = innerWidth;
element.height = innerHeight;
pageRoot().append(element);
const graph = new LGraph();
const canvas = new LGraphCanvas(element, graph, { skip_events: false, autoresize: false });
canvas.render_shadows = false; // Shadows in software would dominate: left out in its favour.
canvas.links_render_mode = LiteGraph.STRAIGHT_LINK;
canvas.ds.min_scale = 0.005;
canvas.ds.max_scale = 4;
canvas.zoom_speed = 1.1;
canvas.show_info = false;
let nodes: AgentNode[] = [];

offer({
  setGraph: async ({ nodes: cards, links }: Graph) => {
    nodes = cards.map((card) => {
      const node = new AgentNode();
      node.card = card;
      node.title = card.title;
      node.pos = [card.x, card.y + titleHeight];
      node.color = roleOf(card.role)[1];
      node.bgcolor = '#1d2230';
      graph.add(node, true);
      return node;
    });
    for (const { s, t } of links) (nodes[s] as AgentNode).connect(0, nodes[t] as AgentNode, 0);
    canvas.ds.scale = 1;
    canvas.ds.offset[0] = 40;
    canvas.ds.offset[1] = 40;
    canvas.setDirty(true, true);
    canvas.draw(true, true);
    canvas.startRendering();
  },
  camera: () => ({ x: canvas.ds.offset[0] * canvas.ds.scale, y: canvas.ds.offset[1] * canvas.ds.scale, zoom: canvas.ds.scale }),
  setCamera: ({ x, y, zoom }) => {
    canvas.ds.scale = zoom;
    canvas.ds.offset[0] = x / zoom;
    canvas.ds.offset[1] = y / zoom;
    canvas.setDirty(true, true);
  },
  nodePos: (index) => {
    const [x = 0, y = 0] = (nodes[index] as AgentNode).pos;
    return { x, y: y - titleHeight };
  },
  select: (indices) => {
    canvas.deselectAll();
    canvas.selectItems(indices.map((index) => nodes[index] as AgentNode));
  },
  panButton: 'left',
  wheelDelta: 100,
  grab: { dx: cardWidth / 2, dy: titleHeight / 2 },
});
