import fc from 'fast-check';
import { expect, test } from 'vitest';
import { orderCards } from '../../../src/model/document/order-cards.ts';
import { SmallestFirst } from '../../../src/model/document/smallest-first.ts';
import { byPlace } from '../../../src/model/run/resolve-dialog-target.ts';
import { agentAt, documentOf } from '../../support/canvas/canvas-driver.ts';

const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];
const places = fc.array(fc.record({ x: fc.integer({ min: 0, max: 2 }), y: fc.integer({ min: 0, max: 2 }) }), {
  minLength: 1,
  maxLength: 8,
});
const pairs = fc.array(fc.tuple(fc.constantFrom(...names), fc.constantFrom(...names)), { maxLength: 16 });

test('W5.03 each card comes after all that lead to it; where links go round, the one already reached comes first, then the upper and left one', () => {
  fc.assert(
    fc.property(places, pairs, fc.option(fc.constantFrom(...names)), (places, pairs, first) => {
      const cards = places.map(({ x, y }, i) => agentAt(names[i] as string, x * 400, y * 300));
      const links = pairs.map(([from, to]) => ({
        id: `${from}-${to}`,
        from: { agentId: from, port: 'out' as const },
        to: { agentId: to, port: 'in' as const },
      }));
      const document = { ...documentOf(cards), connections: Object.fromEntries(links.map((link) => [link.id, link])) };
      const waiting = cards.toSorted((a, b) => Number(b.id === first) - Number(a.id === first) || byPlace(a, b));
      const reached = new Set<string>();
      const expected = { nodes: [] as string[], backward: [] as string[] };
      while (waiting.length > 0) {
        const isWaiting = (id: string) => waiting.some((card) => card.id === id);
        const leading = (to: string) =>
          Object.values(document.connections).filter(
            ({ from, to: end }) => end.agentId === to && from.agentId !== to && isWaiting(from.agentId),
          );
        const next = waiting.find(({ id }) => leading(id).length === 0) ?? waiting.find(({ id }) => reached.has(id)) ?? waiting[0];
        if (!next) break;
        expected.backward.push(...leading(next.id).map(({ id }) => id));
        expected.nodes.push(next.id);
        waiting.splice(waiting.indexOf(next), 1);
        for (const { from, to } of links) if (from.agentId === next.id && to.agentId !== next.id) reached.add(to.agentId);
      }
      const order = orderCards(cards, Object.values(document.connections), first);
      expect(order.nodes.map(({ id }) => id)).toEqual(expected.nodes);
      expect(order.backward.map(({ id }) => id).toSorted()).toEqual(expected.backward.toSorted());
    }),
    { numRuns: 500 },
  );
});

test('W5.03 numbers come out by size, however they went in', () => {
  fc.assert(
    fc.property(fc.array(fc.integer()), (numbers) => {
      const queue = new SmallestFirst();
      for (const number of numbers) queue.push(number);
      const out = [...numbers, 0].map(() => queue.pop());
      expect(out).toEqual([...numbers.toSorted((a, b) => a - b), undefined]);
    }),
  );
});
