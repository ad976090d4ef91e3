import { expect, test } from 'vitest';
import { createModelTraits, traitsOfOwner } from '../../../../server/platform/llm/model-traits.ts';

test('M2.07 what calls with fields of their owner’s show is known to the owner alone', async () => {
  const shared = createModelTraits(null);
  await shared.learn('llm.example', 'm', { refused: ['stop'], context: 128_000, tools: true });
  const ann = traitsOfOwner(shared, 'ann');
  const known = { refused: ['stop'], wants: {}, tools: true, context: 128_000 };
  expect(await ann.find('llm.example', 'm')).toEqual(known);
  await ann.learn('llm.example', 'm', { refused: ['temperature'], context: 10, tools: false });
  const own = { ...known, refused: ['stop', 'temperature'], tools: false, context: 10 };
  expect(await ann.find('llm.example', 'm')).toEqual(own);
  expect(traitsOfOwner(shared, 'ann').peek('llm.example', 'm')).toEqual(own);
  expect(await shared.find('llm.example', 'm')).toEqual(known);
  expect(await traitsOfOwner(shared, 'bob').find('llm.example', 'm')).toEqual(known);
});
