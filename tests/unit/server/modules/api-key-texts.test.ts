import { expect, test } from 'vitest';
import { KeyTexts } from '../../../../server/modules/api-keys/key-texts.ts';
import { secretKeyFrom } from '../../../../server/platform/secrets/secret-key.ts';

test('K2.03 a key of this server is known without the database, and one that was guessed or made elsewhere is not', () => {
  const texts = new KeyTexts(secretKeyFrom('a secret of at least thirty-two characters'));
  const elsewhere = new KeyTexts(secretKeyFrom('another secret of thirty-two characters'));
  const keys = Array.from({ length: 200 }, () => texts.make());
  expect(new Set(keys).size).toBe(200);
  expect(keys.every((key) => texts.isGenuine(key) && /^art_[0-9A-Za-z]{40}$/.test(key))).toBe(true);
  expect(keys.some((key) => elsewhere.isGenuine(key))).toBe(false);
  for (const key of keys) {
    const changed = `${key.slice(0, 10)}${key[10] === 'x' ? 'y' : 'x'}${key.slice(11)}`;
    expect(texts.isGenuine(changed)).toBe(false);
  }
  for (const odd of ['', 'art_', `${keys[0]}0`, `art_${'я'.repeat(20)}`, `${keys[0]?.slice(0, -6)}яяя`])
    expect(texts.isGenuine(odd)).toBe(false);
});
