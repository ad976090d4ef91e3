import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { CanvasNode } from '../../../contract/canvas.ts';
import { maxCoordinate } from '../../../contract/canvas.ts';
import { boxOf } from '../../../src/model/document/annotations.ts';
import type { EditCommand } from '../../../src/model/document/edit-command.ts';
import { readCanvasText } from '../../../src/model/document/read-canvas-text.ts';
import { writeCanvasText } from '../../../src/model/document/write-canvas-text.ts';
import { editDocument } from '../../support/engine/edit-document.ts';
import { agentNode, agentOf, chainDocument, dialogNode, documentOf, link, team } from '../../support/engine/samples.ts';

const spare = agentOf(90, 'second-lead', 'TechnicalArchitect');
const everyAgent = [...team, spare];

function copyIn(document = chainDocument(), agents = everyAgent) {
  const { working, does } = editDocument(document, agents);
  const copies = (command: EditCommand) => {
    const outcome = does(command);
    if (!outcome.ok) return outcome.error;
    const { result, unmatched } = outcome.value;
    return { cards: (result?.nodeIds ?? []).map((id) => working.node(id) as CanvasNode), links: result?.connectionIds ?? [], unmatched };
  };
  return { working, does: copies };
}

const excerpt = (...ids: string[]) => writeCanvasText(chainDocument(), new Set(ids));

describe('copies of cards', () => {
  test('W3.01 cards copied and pasted keep their fields, their distances and the links among them', () => {
    const { working, does } = copyIn();
    const made = does({ type: 'nodes.paste', text: excerpt('d', 'a', 'b'), at: { x: 5_000, y: 3_000 } });
    expect(made).toMatchObject({ cards: [{ type: 'dialog', goal: 'Build it' }, { type: 'agent' }, { type: 'agent' }] });
    if (!('cards' in made)) throw new Error(made.code);
    const [dialog, first, second] = made.cards as [CanvasNode, CanvasNode, CanvasNode];
    expect([first.x - dialog.x, first.y - dialog.y, second.x - dialog.x]).toEqual([350, 40, 700]);
    // The bounding box of all three is 980 x 236.
    expect([dialog.x, dialog.y]).toEqual([5_000 - 490, 3_000 - 118]);
    expect(made.links.map((id) => working.link(id)).map((one) => [one?.from.agentId, one?.to.agentId])).toEqual([
      [dialog.id, first.id],
      [first.id, second.id],
    ]);
    expect(Object.keys(working.document.connections)).toHaveLength(5);
  });

  test('W3.01 copies keep what a run does with links, agents and groups', () => {
    const { working, does } = copyIn();
    const [step, run, forEach] = [{ firstWins: true }, { label: 'rework', maxRounds: 3 }, { onFailure: 'skip' }] as const;
    does({ type: 'node.update', id: 'a', changes: { step } });
    does({ type: 'link.update', id: 'conn-a-b', changes: run });
    const grouped = does({ type: 'nodes.group', nodeIds: ['a', 'b'] });
    const groupId = ('cards' in grouped && grouped.cards[0]?.id) || '';
    does({ type: 'node.update', id: groupId, changes: { forEach } });
    const text = writeCanvasText(working.document, new Set([groupId]));
    const commands: EditCommand[] = [
      { type: 'nodes.duplicate', nodeIds: [groupId], dx: 0, dy: 900 },
      { type: 'nodes.paste', text, at: { x: 0, y: 3_000 } },
      { type: 'canvas.replace', text },
    ];
    for (const command of commands) {
      const made = does(command);
      if (!('cards' in made)) throw new Error(made.code);
      expect(made.cards.flatMap((card) => card.step ?? [])).toEqual([step]);
      expect(made.cards.flatMap((card) => card.forEach ?? [])).toEqual([forEach]);
      expect(made.links.map((id) => working.link(id)?.run)).toEqual([run]);
    }
  });

  test('W3.01 copies that would cover a card exactly step aside by the grid', () => {
    const { does } = copyIn();
    const places = [1, 2, 3].map(() => {
      const made = does({ type: 'nodes.duplicate', nodeIds: ['d'], dx: 20, dy: 20 });
      return 'cards' in made && made.cards.map(({ x, y }) => [x, y]);
    });
    expect(places).toEqual([[[20, 20]], [[40, 40]], [[60, 60]]]);
  });

  test('W3.01 a copied dialog is aimed at the copy of its agent, where that was copied too', () => {
    const document = chainDocument();
    document.nodes.d = dialogNode('d', 0, 0, { targetAgentId: 'b' });
    const { does } = copyIn(document);
    const together = does({ type: 'nodes.duplicate', nodeIds: ['d', 'b'], dx: 0, dy: 400 });
    expect('cards' in together && together.cards[0]?.targetAgentId).toBe('cards' in together && together.cards[1]?.id);
    const alone = does({ type: 'nodes.duplicate', nodeIds: ['d'], dx: 0, dy: 800 });
    expect('cards' in alone && alone.cards[0]?.targetAgentId).toBe('b');
  });

  test('R37.01 a copied agent card takes a free agent of its role; when none is left it gets no agent, and its title is reported', () => {
    const document = documentOf([agentNode('lead', team[2] as (typeof team)[number], 0, 0)]);
    const { does } = copyIn(document);
    const first = does({ type: 'nodes.duplicate', nodeIds: ['lead'], dx: 300, dy: 0 });
    expect(first).toMatchObject({ cards: [{ serverAgentId: spare.id, title: spare.title, name: spare.name }] });
    expect('unmatched' in first && first.unmatched).toBeUndefined();
    const second = does({ type: 'nodes.duplicate', nodeIds: ['lead'], dx: 600, dy: 0 });
    expect(second).toMatchObject({ cards: [{ id: 'made-2', serverAgentId: 'made-2', title: document.nodes.lead?.title }] });
    expect(second).toMatchObject({ unmatched: [document.nodes.lead?.title] });
  });

  test('R37.01 an agent that was cut comes back as itself', () => {
    const { does } = copyIn();
    const text = excerpt('a', 'b');
    does({ type: 'selection.remove', nodeIds: ['a', 'b'], connectionIds: [] });
    const pasted = does({ type: 'nodes.paste', text, at: { x: 0, y: 900 } });
    expect(pasted).toMatchObject({ cards: [{ serverAgentId: team[0]?.id }, { serverAgentId: team[1]?.id }] });
    expect('unmatched' in pasted && pasted.unmatched).toBeUndefined();
  });

  test('R37.01 two copies of one agent never share a server agent, and people stand for themselves', () => {
    const person: CanvasNode = { id: 'u', type: 'agent', title: 'Tester', role: 'user', isUser: true, serverAgentId: 'u', x: 0, y: 0 };
    const { does } = copyIn(documentOf([person]));
    const pair = JSON.stringify({ nodes: [agentNode('x', spare, 0, 0), agentNode('y', spare, 400, 0)] });
    const pasted = does({ type: 'nodes.paste', text: pair, at: { x: 0, y: 900 } });
    const taken = 'cards' in pasted ? pasted.cards.map(({ serverAgentId }) => serverAgentId) : [];
    expect(taken).toEqual([spare.id, team[2]?.id]);
    const copy = does({ type: 'nodes.duplicate', nodeIds: ['u'], dx: 0, dy: 200 });
    expect('cards' in copy && copy.cards[0]?.serverAgentId).toBe('cards' in copy && copy.cards[0]?.id);
  });

  test('R37.01 a canvas without agents keeps its cards as they are and reports no missing agent', () => {
    const { does } = copyIn(chainDocument(), []);
    const made = does({ type: 'nodes.duplicate', nodeIds: ['a'], dx: 20, dy: 20 });
    expect(made).toMatchObject({ cards: [{ id: 'made-1', serverAgentId: 'made-1' }] });
    expect('unmatched' in made && made.unmatched).toBeUndefined();
  });

  test('R37.02 cards that are pasted onto others move aside by the shortest way, and into a group they may lie', () => {
    const { does, working } = copyIn();
    const pasted = does({ type: 'nodes.paste', text: excerpt('a', 'b'), at: { x: 700, y: 150 } });
    const [first, second] = 'cards' in pasted ? pasted.cards : [];
    const boxes = Object.values(chainDocument().nodes).map(boxOf);
    for (const card of [first, second] as CanvasNode[]) {
      const { x, y, width, height } = boxOf(card);
      for (const other of boxes)
        expect(x < other.x + other.width && other.x < x + width && y < other.y + other.height && other.y < y + height).toBe(false);
    }
    expect((second?.x ?? 0) - (first?.x ?? 0)).toBe(350);
    working.edit((edit) => edit.setNode({ id: 'g', type: 'group', title: 'Group', x: 0, y: 2_000, width: 2_000, height: 900 }));
    const inside = does({ type: 'nodes.paste', text: excerpt('a'), at: { x: 1_000, y: 2_400 } });
    expect('cards' in inside && inside.cards[0]).toMatchObject({ x: 860, y: 2_322 });
  });

  test('W5.02 a paste at no place is refused', () => {
    const { does, working } = copyIn();
    expect(does({ type: 'nodes.paste', text: excerpt('a'), at: { x: Number.NaN, y: 0 } })).toEqual({ code: 'drop.notFinite' });
    expect(does({ type: 'nodes.duplicate', nodeIds: ['a'], dx: Number.POSITIVE_INFINITY, dy: 0 })).toEqual({ code: 'drop.notFinite' });
    const far = JSON.stringify({ nodes: [dialogNode('p', -maxCoordinate, 0), dialogNode('q', maxCoordinate, 0)] });
    expect(does({ type: 'nodes.paste', text: far, at: { x: maxCoordinate, y: 0 } })).toEqual({ code: 'drop.notFinite' });
    expect(working.document).toEqual(chainDocument());
  });
});

describe('cards as text', () => {
  test('W3.01 a canvas text that is written is read back the same', () => {
    const read = readCanvasText(excerpt('d', 'a', 'b', 'c'));
    expect(read).toEqual({
      ok: true,
      value: { nodes: Object.values(chainDocument().nodes), connections: Object.values(chainDocument().connections) },
    });
    expect(readCanvasText(excerpt('a', 'c', 'gone'))).toMatchObject({ value: { nodes: [{ id: 'a' }, { id: 'c' }], connections: [] } });
    expect(readCanvasText(JSON.stringify(chainDocument()))).toEqual(read);
  });

  test('W3.01 links of the old style, which name their cards alone, take the form of today', () => {
    const { nodes } = documentOf([agentNode('a', spare, 0, 0), agentNode('b', spare, 300, 0), agentNode('c', spare, 600, 0)]);
    const old = [
      { from: 'a', to: 'b' },
      { id: 'conn-7', from: { agentId: 'b' }, to: { agentId: 'c' } },
    ];
    const read = readCanvasText(JSON.stringify({ nodes, connections: old }));
    expect(read.ok && read.value.connections).toEqual([
      { id: 'conn-a-b', from: { agentId: 'a', port: 'out' }, to: { agentId: 'b', port: 'in' } },
      { id: 'conn-7', from: { agentId: 'b', port: 'out' }, to: { agentId: 'c', port: 'in' } },
    ]);
  });

  test('W5.05 text that holds no cards is told from cards with mistakes', () => {
    for (const text of ['', 'Hello', '{}', '[]', '42', 'null', '{"nodes":3}'])
      expect(readCanvasText(text)).toEqual({ ok: false, error: { code: 'clip.notCards' } });
    expect(readCanvasText('{"nodes":[]}')).toMatchObject({ error: { code: 'clip.unsound', details: [{ code: 'clip.empty' }] } });
  });

  test('W5.05 every mistake is listed, and one is enough to take nothing', () => {
    const { d, a } = chainDocument().nodes as { d: CanvasNode; a: CanvasNode };
    const text = JSON.stringify({
      nodes: [d, a, { ...a, x: 1 }, { ...d, id: 'e', title: 7, x: '3' }, { ...d, id: '__proto__' }, null],
      connections: [link('d', 'a'), link('d', 'a'), link('a', 'a'), link('a', 'missing'), { id: 'l', from: { agentId: 'd', port: 'in' } }],
    });
    const read = readCanvasText(text);
    expect(read).toMatchObject({ ok: false, error: { code: 'clip.unsound', params: { count: 8 } } });
    expect(read.ok ? [] : read.error.details).toEqual([
      { code: 'clip.cardDuplicate', params: { number: 3, name: a.title, id: 'a' } },
      { code: 'clip.cardField', params: { number: 4, name: 'e', field: 'title, x' } },
      { code: 'clip.cardField', params: { number: 5, name: 'Dialog', field: 'id' } },
      { code: 'clip.cardField', params: { number: 6, name: '?', field: '…' } },
      { code: 'clip.linkDuplicate', params: { number: 2, from: 'd', to: 'a' } },
      { code: 'clip.linkSelf', params: { number: 3, id: 'a' } },
      { code: 'clip.linkEnd', params: { number: 4, id: 'missing' } },
      { code: 'clip.linkField', params: { number: 5, field: 'from.port, to' } },
    ]);
    const { working, does } = copyIn();
    expect(does({ type: 'nodes.paste', text, at: { x: 0, y: 0 } })).toMatchObject({ code: 'clip.unsound' });
    expect(working.document).toEqual(chainDocument());
  });

  test('W5.05 any text at all is read or refused', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.json(),
          fc.jsonValue().map((value) => JSON.stringify({ nodes: [value], connections: [value] })),
        ),
        (text) => {
          const { working, does } = copyIn();
          does({ type: 'nodes.paste', text, at: { x: 0, y: 0 } });
          for (const id of Object.keys(chainDocument().nodes)) expect(working.node(id)).toBeDefined();
        },
      ),
    );
  });
});
