import {
  Background,
  type Edge,
  Handle,
  type Node,
  type NodeProps,
  Position,
  ReactFlow,
  ReactFlowProvider,
  useEdgesState,
  useNodesState,
  useReactFlow,
} from '@xyflow/react';
import '@xyflow/react/dist/style.css';
import { memo, useEffect } from 'react';
import { createRoot } from 'react-dom/client';
import './react-flow.css';
import { cardHeight, cardWidth, type Graph, type GraphNode } from '../graph.ts';
import { roleOf, stateOf } from './colours.ts';
import { offer, pageRoot } from './offer.ts';

type CardNode = Node<{ card: GraphNode }, 'card'>;

const Card = memo(({ data: { card } }: NodeProps<CardNode>) => (
  <>
    <Handle type="target" position={Position.Left} />
    <div className="card" style={{ borderLeftColor: roleOf(card.role)[1] }}>
      <div className="title">{card.title}</div>
      <div className="description">{card.desc}</div>
      <div className="state">
        <span className="dot" style={{ background: stateOf(card.status)[1] }} />
        {stateOf(card.status)[0]} · {roleOf(card.role)[0]}
      </div>
    </div>
    <Handle type="source" position={Position.Right} />
  </>
));
const nodeTypes = { card: Card };

/** React Flow with only the visible elements in the document, the setting that its authors give for large graphs. */
function Canvas({ graph, onReady }: { graph: Graph; onReady: () => void }) {
  const [nodes, setNodes, onNodesChange] = useNodesState<CardNode>(
    graph.nodes.map((card) => ({
      id: card.id,
      type: 'card',
      position: { x: card.x, y: card.y },
      data: { card },
      width: cardWidth,
      height: cardHeight,
    })),
  );
  const [edges, , onEdgesChange] = useEdgesState<Edge>(
    graph.links.map(({ id, source, target }) => ({ id, source, target, type: 'smoothstep', pathOptions: { borderRadius: 15 } })),
  );
  const flow = useReactFlow<CardNode>();
  useEffect(() => {
    current = {
      flow,
      choose: (ids) =>
        setNodes((all) =>
          all.map((node) => (ids.has(node.id) === (node.selected ?? false) ? node : { ...node, selected: ids.has(node.id) })),
        ),
    };
    const whenDrawn = () => (document.querySelector('.react-flow__edge') ? onReady() : requestAnimationFrame(whenDrawn));
    whenDrawn();
  }, [flow, setNodes, onReady]);
  return (
    <ReactFlow
      nodes={nodes}
      edges={edges}
      onNodesChange={onNodesChange}
      onEdgesChange={onEdgesChange}
      nodeTypes={nodeTypes}
      minZoom={0.005}
      maxZoom={4}
      onlyRenderVisibleElements
      defaultViewport={{ x: 40, y: 40, zoom: 1 }}
      proOptions={{ hideAttribution: true }}
    >
      <Background />
    </ReactFlow>
  );
}

let current: { flow: ReturnType<typeof useReactFlow<CardNode>>; choose: (ids: Set<string>) => void };

offer({
  setGraph: (graph) =>
    new Promise((resolve) => {
      createRoot(pageRoot()).render(
        <ReactFlowProvider>
          <Canvas graph={graph} onReady={resolve} />
        </ReactFlowProvider>,
      );
    }),
  camera: () => current.flow.getViewport(),
  setCamera: (camera) => void current.flow.setViewport(camera),
  nodePos: (index) => (current.flow.getNode(`n${index}`) as CardNode).position,
  select: (indices) => current.choose(new Set(indices.map((index) => `n${index}`))),
  panButton: 'left',
  wheelDelta: 68.75,
  grab: null,
});
