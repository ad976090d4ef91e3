import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Connection } from '../../../contract/canvas.ts';
import { linksBack } from '../../../src/model/document/links/links-back.ts';
import { orderCards } from '../../../src/model/run/plan/order-cards.ts';
import { SmallestFirst } from '../../../src/model/run/plan/smallest-first.ts';
import { byPlace } from '../../../src/model/run/starters/resolve-dialog-target.ts';
import { agentAt } from '../../support/canvas/canvas-driver.ts';

const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];
const places = fc.array(fc.record({ x: fc.integer({ min: 0, max: 2 }), y: fc.integer({ min: 0, max: 2 }) }), {
  minLength: 1,
  maxLength: 8,
});
const pairs = fc.array(fc.tuple(fc.constantFrom(...names), fc.constantFrom(...names)), { maxLength: 16 });
const linksOf = (drawn: readonly (readonly [string, string])[]): Connection[] =>
  [...new Set(drawn.map(([from, to]) => `${from}-${to}`))].map((id) => {
    const [from, to] = id.split('-') as [string, string];
    return { id, from: { agentId: from, port: 'out' }, to: { agentId: to, port: 'in' } };
  });

test('W5.03 each card comes after all that lead to it; where links order none, the upper and then the left one comes first', () => {
  fc.assert(
    fc.property(places, pairs, fc.option(fc.constantFrom(...names)), (places, pairs, first) => {
      const cards = places.map(({ x, y }, i) => agentAt(names[i] as string, x * 400, y * 300));
      const links = linksOf(pairs);
      const backward = linksBack(
        cards.map(({ id }) => id),
        links,
        first,
      );
      const waiting = cards.toSorted((a, b) => Number(b.id === first) - Number(a.id === first) || byPlace(a, b));
      const expected: string[] = [];
      while (waiting.length > 0) {
        const isWaiting = (id: string) => waiting.some((card) => card.id === id);
        const leading = (to: string) =>
          links.filter((link) => !backward.has(link) && link.to.agentId === to && link.from.agentId !== to && isWaiting(link.from.agentId));
        const next = waiting.find(({ id }) => leading(id).length === 0);
        if (!next) throw new Error('Links that lead forward go round');
        expected.push(next.id);
        waiting.splice(waiting.indexOf(next), 1);
      }
      const order = orderCards(cards, links, { first, backward });
      expect(order.nodes.map(({ id }) => id)).toEqual(expected);
    }),
    { numRuns: 500 },
  );
});

test('D1.01 a cycle is entered at the first link from outside, else at the card that comes first, else at its own first link', () => {
  const back = (links: Connection[], first: string | null = null) => [...linksBack(names, links, first)].map(({ id }) => id);
  const round = [...linksOf([['a', 'b']]), ...linksOf([['b', 'c']]), ...linksOf([['c', 'a']])];
  expect(back(round)).toEqual(['c-a']);
  expect(back(round, 'c')).toEqual(['b-c']);
  expect(back([...round, ...linksOf([['h', 'b']])], 'c')).toEqual(['a-b']);
});

test('D1.01 which links lead back depends neither on the order of records nor on the order of cards', () => {
  fc.assert(
    fc.property(pairs, fc.option(fc.constantFrom(...names)), fc.infiniteStream(fc.integer()), (drawn, first, numbers) => {
      const links = linksOf(drawn);
      const shuffled = <T>(list: readonly T[]) => {
        const weighed = list.map((item) => ({ item, weight: numbers.next().value as number }));
        return weighed.sort((a, b) => a.weight - b.weight).map(({ item }) => item);
      };
      const back = (ids: string[], given: Connection[]) => [...linksBack(ids, given, first)].map(({ id }) => id).toSorted();
      expect(back(shuffled(names), shuffled(links))).toEqual(back(names, links));
    }),
    { numRuns: 500 },
  );
});

test('D1.01 a chain of 10,000 cards that closes has one link that leads back', () => {
  const ids = Array.from({ length: 10_000 }, (_, at) => `n${String(at).padStart(5, '0')}`);
  const links = linksOf(ids.map((id, at) => [id, ids[(at + 1) % ids.length] as string] as const));
  expect([...linksBack(ids, links, null)].map(({ id }) => id)).toEqual(['n09999-n00000']);
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
