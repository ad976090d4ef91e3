import { expect, test } from 'vitest';
import { searchable, searchNodes } from '../../../src/app/workspace/palette/search-nodes.ts';
import { agentAt, documentOf } from '../../support/canvas/canvas-driver.ts';

const named = (id: string, title: string, y: number) => ({ ...agentAt(id, 0, y), title });
const { nodes } = documentOf([
  named('1', 'Старший тимлид', 0),
  named('2', 'Разработчик', 10),
  named('3', 'Тимлид выгрузок', 20),
  named('4', 'Антимлидер', 30),
]);
const cards = searchable(nodes, (node) => node.title);
const found = (query: string) => searchNodes(cards, query).map(({ node }) => node.id);

test('W2.05 names that begin with the query come first, then names with a word that begins with the query, then the rest', () => {
  expect(found('тимлид')).toEqual(['3', '1', '4']);
  expect(found(' ТИМ ')).toEqual(['3', '1', '4']);
  expect(found('нет')).toEqual([]);
});

test('W2.05 a note is found by what stands in it, and called by its first line', () => {
  const written = { ...agentAt('5', 0, 40), type: 'note' as const, title: '', description: 'Сроки\nдо пятницы' };
  const empty = { ...written, id: '6', description: '' };
  const all = searchable(documentOf([written, empty]).nodes, () => 'Заметка');
  expect(searchNodes(all, 'пятниц').map(({ title }) => title)).toEqual(['Сроки']);
  expect(searchNodes(all, 'замет').map(({ node }) => node.id)).toEqual(['6']);
});

test('W2.05 an empty search lists every card in reading order', () => {
  expect(found('')).toEqual(['1', '2', '3', '4']);
});
