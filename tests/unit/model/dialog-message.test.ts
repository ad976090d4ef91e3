import { expect, test } from 'vitest';
import type { CanvasDocument, CanvasNode } from '../../../contract/canvas.ts';
import { dialogMessageOf } from '../../../src/model/run/plan/run-payloads.ts';

const dialog: CanvasNode = { id: 'd', type: 'dialog', title: 'Заказы', goal: 'Магазин', x: 0, y: 0 };
const agent: CanvasNode = { id: 'a', type: 'agent', title: 'Аналитик', serverAgentId: 'server-a', x: 400, y: 0 };
const at = Date.UTC(2026, 10, 20, 12);
const of = (...nodes: CanvasNode[]): CanvasDocument => ({
  nodes: Object.fromEntries(nodes.map((node) => [node.id, node])),
  connections: {},
});

test('W3.04 a dialog’s message holds its text, card, recipient, command, time, and whether it starts a run', () => {
  expect(dialogMessageOf(of(dialog, agent), dialog, 'Выгрузи заказы', at)).toEqual({
    text: 'Выгрузи заказы',
    id: 'd',
    dialogNodeTitle: 'Заказы',
    targetAgentId: 'server-a',
    targetAgentTitle: 'Аналитик',
    triggerCommand: 'start_workflow',
    autoStartSimulation: true,
    timestamp: '2026-11-20T12:00:00.000Z',
  });
});

test('W3.04 the target of the card takes precedence, and on a canvas without agents the message has no target', () => {
  const set = { ...dialog, triggerCommand: 'review', autoStartSimulation: false };
  expect(dialogMessageOf(of(set), set, 'x', at)).toMatchObject({
    ...{ targetAgentId: null, targetAgentTitle: null, triggerCommand: 'review', autoStartSimulation: false },
  });
});
