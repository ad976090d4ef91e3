import { expect, test } from 'vitest';
import { readCanvasText } from '../../../src/model/document/read-canvas-text.ts';
import { writeCanvasText } from '../../../src/model/document/write-canvas-text.ts';
import { chainDocument } from '../../support/engine/samples.ts';

const n8n = {
  nodes: [
    { parameters: {}, id: 'a1', name: 'Start', type: 'n8n-nodes-base.manualTrigger', typeVersion: 1, position: [0, 0] },
    {
      parameters: { model: 'gpt' },
      id: 'a2',
      name: 'AI Agent',
      type: '@n8n/n8n-nodes-langchain.agent',
      typeVersion: 1.7,
      position: [220, 0],
    },
  ],
  connections: { Start: { main: [[{ node: 'AI Agent', type: 'main', index: 0 }]] } },
  meta: { instanceId: '0' },
};
const dify = `app:
  description: ''
  icon: 🤖
  mode: advanced-chat
  name: Помощник
kind: app
version: 0.1.5
workflow:
  graph:
    edges: []
    nodes:
    - data:
        type: start
`;
const flowise = { nodes: [{ id: 'chat', type: 'customNode', position: { x: 0, y: 0 }, data: { label: 'ChatOpenAI' } }], edges: [] };
const langflow = { name: 'Flow', data: { nodes: [{ id: 'p', type: 'genericNode', data: { type: 'Prompt' } }], edges: [] } };
const nodeRed = [
  { id: 't', type: 'tab', label: 'Flow 1' },
  { id: 'i', type: 'inject', z: 't', name: '', wires: [['d']] },
];

test.each([
  ['n8n', JSON.stringify(n8n)],
  ['n8n', `\`\`\`json\n${JSON.stringify(n8n, null, 2)}\n\`\`\``],
  ['dify', dify],
  ['dify', `\u{feff}${dify.replaceAll('\n', '\r\n')}`],
  ['dify', JSON.stringify({ app: { mode: 'workflow' }, kind: 'app', version: '0.3.0', workflow: { graph: {} } })],
  ['flowise', JSON.stringify(flowise)],
  ['langflow', JSON.stringify(langflow)],
  ['nodeRed', JSON.stringify(nodeRed)],
])('G8.35 a workflow of %s is named as that', (product, text) => {
  expect(readCanvasText(text)).toEqual({ ok: false, error: { code: 'clip.foreign', params: { product } } });
});

test('G8.35 own cards, also in a fence, and other texts are no foreign workflow', () => {
  const document = chainDocument();
  const own = writeCanvasText(document, new Set(Object.keys(document.nodes)));
  expect(readCanvasText(own).ok).toBe(true);
  expect(readCanvasText(`\`\`\`json\n${own}\n\`\`\``).ok).toBe(true);
  for (const text of ['app: yes', 'kind: app', 'The kind: app of n8n', '{"nodes":3}', '[{"id":"a"}]', 'apiVersion: v1\nkind: App\n'])
    expect(readCanvasText(text)).toEqual({ ok: false, error: { code: 'clip.notCards' } });
});
