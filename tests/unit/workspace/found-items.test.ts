import { expect, test } from 'vitest';
import en from '../../../locales/en/actions.json' with { type: 'json' };
import ru from '../../../locales/ru/actions.json' with { type: 'json' };
import { foundItems, type PaletteItem } from '../../../src/app/workspace/palette/palette-items.ts';

type Texts = { name: Record<string, string>; also: Record<string, string> };

const itemsOf = ({ name, also }: Texts) =>
  Object.entries(name).map(([id, title]) => ({ id, title, also: also[id] }) as unknown as PaletteItem);
const found = (texts: Texts, query: string) => foundItems(itemsOf(texts), query).map(({ id }) => id);

test('W2.05 W2.06 the palette finds actions by other names, in both languages and in the other one', () => {
  expect(found(en, 'dark')).toEqual(['theme']);
  expect(found(en, 'cron')).toEqual(['triggers']);
  expect(found(en, 'export image')).toEqual(['savePicture']);
  expect(found(ru, 'тёмная')).toEqual(['theme']);
  expect(found(ru, 'лимит')).toEqual(['account']);
  expect(found(ru, 'undo')).toEqual(['undo']);
  expect(found(ru, 'вебхук')).toEqual(['connect', 'triggers']);
});

test.each([
  [en, 'share export import template release skill help key connections git version theme language'],
  [ru, 'поделиться экспорт импорт шаблон релиз навык помощь ключ подключения git версия тема язык'],
])('W2.05 what a newcomer types first finds something', (texts, words) => {
  const { flowWords } = texts.palette;
  expect(words.split(' ').filter((word) => found(texts, word).length === 0 && !flowWords.includes(word))).toEqual([]);
});

test('W2.05 what is called so comes before what is found by another name', () => {
  expect(found(en, 'copy')).toEqual(['copy', 'duplicate']);
  expect(foundItems(itemsOf(en), '')).toHaveLength(Object.keys(en.name).length);
});

test('W2.05 every action has other names in both languages', () => {
  for (const { name, also } of [en, ru] as Texts[]) {
    expect(Object.keys(also).sort()).toEqual(Object.keys(name).sort());
    for (const words of Object.values(also)) expect(words.trim()).not.toBe('');
  }
});
