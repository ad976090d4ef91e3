import i18next, { type TFunction } from 'i18next';
import { expect, test } from 'vitest';
import type { CanvasNode, Connection } from '../../../contract/canvas.ts';
import type { LinkSettings } from '../../../contract/executions/run-graph.ts';
import en from '../../../locales/en/canvas.json' with { type: 'json' };
import ru from '../../../locales/ru/canvas.json' with { type: 'json' };
import { linkWords } from '../../../src/canvas/link-words.ts';
import { linkMeaning } from '../../../src/model/run/link-meaning.ts';

/** The words of the links out of one card, in order. */
async function words(language: 'ru' | 'en', runs: (LinkSettings | undefined)[], source?: CanvasNode) {
  const i18n = i18next.createInstance();
  await i18n.init({ lng: language, resources: { ru: { canvas: ru }, en: { canvas: en } }, defaultNS: 'canvas' });
  const t = i18n.t as TFunction<'canvas'>;
  const ways = runs.map(
    (run, at): Connection => ({
      ...{ id: `${at}`, from: { agentId: 'x', port: 'out' }, to: { agentId: `${at}`, port: 'in' } },
      ...(run && { run }),
    }),
  );
  const nodes: Record<string, CanvasNode> = source ? { x: source } : {};
  return ways.map((link) =>
    linkWords(
      link.run ?? {},
      linkMeaning(link, (id) => (id === 'x' ? ways : []), nodes),
      t,
    ),
  );
}

test('D2.05 a link with a rule has a word, and one without beside cases says "otherwise"', async () => {
  const tested: LinkSettings = { test: { is: 'testsFail', value: '' } };
  expect(await words('en', [{ label: 'accepted' }, undefined])).toEqual(['accepted', 'otherwise']);
  expect(await words('en', [tested, undefined, { onFailure: true }])).toEqual(['when tests fail', 'otherwise', 'if it fails']);
  expect(await words('ru', [tested, undefined])).toEqual(['если тесты упали', 'иначе']);
  expect(await words('en', [undefined, undefined, { onFailure: true }])).toEqual(['', '', 'if it fails']);
});

test('D2.06 a review loop that nothing ends has "always 3 rounds", and only one that can end earlier "up to 3 rounds"', async () => {
  const loop: LinkSettings = { maxRounds: 3 };
  expect(await words('en', [loop, undefined])).toEqual(['always 3 rounds', '']);
  expect(await words('ru', [loop, undefined])).toEqual(['всегда 3 круга', '']);
  expect(await words('en', [{ ...loop, label: 'again' }, { label: 'good' }])).toEqual(['again · up to 3 rounds', 'good']);
  expect(await words('en', [{ ...loop, label: 'again' }, undefined])).toEqual(['again · up to 3 rounds', 'otherwise']);
  expect(await words('en', [loop, { label: 'good' }])).toEqual(['otherwise · up to 3 rounds', 'good']);
  expect(await words('en', [{ ...loop, label: 'again' }])).toEqual(['again · always 3 rounds']);
  const person: CanvasNode = {
    ...{ id: 'x', type: 'agent', title: 'Ann', isUser: true, x: 0, y: 0 },
    step: { person: { question: '', inputs: [], buttons: ['Approve'] } },
  };
  expect(await words('en', [{ ...loop, label: 'Change' }], person)).toEqual(['Change · up to 3 rounds']);
});

test('D2.06 a choice in a loop with a link out of the loop ends the loop early; a choice whose branches join in the loop does not', () => {
  const link = (from: string, to: string, run?: LinkSettings): Connection => ({
    ...{ id: `${from}-${to}`, from: { agentId: from, port: 'out' }, to: { agentId: to, port: 'in' } },
    ...(run && { run }),
  });
  const meaning = (...links: Connection[]) => {
    const loop = link('fixer', 'writer', { maxRounds: 3 });
    const all = [...links, loop];
    return linkMeaning(loop, (id) => all.filter(({ from }) => from.agentId === id), {});
  };
  const writes = link('writer', 'critic');
  expect(meaning(writes, link('critic', 'fixer', { label: 'rework' }), link('critic', 'editor', { label: 'accepted' }))).toBeNull();
  expect(meaning(writes, link('critic', 'fixer', { label: 'rework' }), link('critic', 'editor'))).toBeNull();
  expect(meaning(writes, link('critic', 'fixer'), link('critic', 'editor'))).toBe('always');
  expect(meaning(writes, link('critic', 'fixer', { label: 'a' }), link('critic', 'other', { label: 'b' }), link('other', 'fixer'))).toBe(
    'always',
  );
  expect(meaning(writes, link('critic', 'fixer'), link('critic', 'editor', { onFailure: true }))).toBe('always');
});
