import { deflateSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { bytesInMemory } from '../../../../server/platform/git/packs/answer-bytes.ts';
import { nameOfObject, Pack } from '../../../../server/platform/git/packs/pack.ts';

const nameOf = (text: string) => nameOfObject('blob', Buffer.from(text));
/** An object of fewer than 16 bytes. */
const blob = (text: string) => Buffer.concat([Buffer.from([(3 << 4) | text.length]), deflateSync(text)]);
/** A delta that writes `text` in place of a named object of so many bytes. */
const deltaOf = (base: string, bytes: number, text: string) => {
  const delta = Buffer.from([bytes, text.length, text.length, ...Buffer.from(text)]);
  return Buffer.concat([Buffer.from([(7 << 4) | delta.length]), Buffer.from(base, 'hex'), deflateSync(delta)]);
};
const open = (objects: Buffer[]) =>
  Pack.open(bytesInMemory(Buffer.concat([Buffer.from('PACK\0\0\0\x02\0\0\0'), Buffer.from([objects.length]), ...objects])), 100);

test('deltas of a hostile pack that make what they are applied to are read once', async () => {
  const pack = await open([blob('a'), deltaOf(nameOf('a'), 1, 'b'), deltaOf(nameOf('b'), 1, 'a'), deltaOf(nameOf('a'), 1, 'a')]);
  expect(pack.read(nameOf('a'))?.content.toString()).toBe('a');
  expect(pack.read(nameOf('b'))?.content.toString()).toBe('b');
});

test('equal deltas of a hostile pack do not double the work with each step', async () => {
  const texts = Array.from('abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOP');
  const twice = texts.slice(1).flatMap((text, at) => [text, text].map((one) => deltaOf(nameOf(texts[at] as string), 1, one)));
  const pack = await open([blob('a'), ...twice]);
  expect(pack.read(nameOf('P'))?.content.toString()).toBe('P');
});
