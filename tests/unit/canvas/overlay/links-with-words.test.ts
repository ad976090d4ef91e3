import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { CanvasDocument, CanvasNode, Connection } from '../../../../contract/canvas.ts';
import type { LinkSettings } from '../../../../contract/executions/run-graph.ts';
import { WaysOut } from '../../../../src/canvas/overlay/links/links-with-words.ts';

const runs: (LinkSettings | undefined)[] = [undefined, {}, { label: 'yes' }, { hold: 'once' }, { maxRounds: 3 }, { onFailure: true }];

test('G1.03 the links with words that are followed by edits are those of the whole canvas', () => {
  const link = fc.tuple(fc.constantFrom('x', 'y'), fc.constantFrom(...runs));
  const links = fc
    .dictionary(fc.constantFrom('a', 'b', 'c', 'd'), link)
    .map((drawn) =>
      Object.fromEntries(
        Object.entries(drawn).map(([id, [from, run]]): [string, Connection] => [
          id,
          { id, from: { agentId: from, port: 'out' }, to: { agentId: 'z', port: 'in' }, ...(run && { run }) },
        ]),
      ),
    );
  const documents = fc.tuple(links, fc.boolean()).map(
    ([connections, hasButtons]): CanvasDocument => ({
      nodes: { x: personWith(hasButtons ? ['yes', 'no'] : ['yes']) },
      connections,
    }),
  );
  fc.assert(
    fc.property(documents, documents, (before, after) => {
      const ways = new WaysOut(before);
      const first = ways.all();
      const ids = [...Object.keys(before.connections), ...Object.keys(after.connections)];
      const earlier = { nodes: new Map([['x', before.nodes.x]]), connections: new Map(ids.map((id) => [id, before.connections[id]])) };
      const now = ways.change(first, after, earlier);
      const whole = new WaysOut(after).all();
      expect([...now].sort()).toEqual([...whole].sort());
      if (JSON.stringify([...first].sort()) === JSON.stringify([...whole].sort())) expect(now).toBe(first);
    }),
  );
});

function personWith(buttons: string[]): CanvasNode {
  return {
    ...{ id: 'x', type: 'agent', title: 'Ann', isUser: true, x: 0, y: 0 },
    step: { person: { question: '', inputs: [], buttons } },
  };
}
