import fc from 'fast-check';
import { expect, test } from 'vitest';
import { hasHidden, splitAtHidden, visibleName, withEscapedHidden, withoutHidden } from '../../../rules/text/hidden-characters.ts';
import { callSubject } from '../../../src/model/run/call-subject.ts';

test('G3.29 marks of direction, characters of no width, tags and controls are shown, and what a reader sees stays', () => {
  for (const hidden of [
    '\u202e',
    '\u2066',
    '\u200b',
    '\u200d',
    '\u00ad',
    '\u{e0041}',
    '\u{e0100}',
    '\u3164',
    '\u0000',
    '\u001b',
    '\ufeff',
    '\u2028',
  ]) {
    expect([hidden.codePointAt(0), hasHidden(`a${hidden}b`), withoutHidden(`a${hidden}b`)]).toEqual([hidden.codePointAt(0), true, 'ab']);
    expect(splitAtHidden(`a${hidden}b`)).toEqual([
      { text: 'a', isHidden: false },
      { text: hidden, isHidden: true },
      { text: 'b', isHidden: false },
    ]);
  }
  for (const plain of ['Ищет записи.\n\tДа', '👩‍💻 ❤️ 👍🏽', 'né e\u0301', '漢字'])
    expect([plain, hasHidden(plain), withoutHidden(plain)]).toEqual([plain, false, plain]);
});

test('G3.03 arguments with hidden characters are shown with their numbers, and keep their value', () => {
  expect(withEscapedHidden('{"a":"x\u202ey\u{e0041}"}')).toBe('{"a":"x\\u202ey\\udb40\\udc41"}');
  expect(callSubject('{"text":"a \\u202eb"}')).toBe('a b');
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const json = JSON.stringify(value);
      expect(JSON.stringify(JSON.parse(withEscapedHidden(json)))).toBe(json);
      expect(hasHidden(withEscapedHidden(json))).toBe(false);
    }),
  );
});

test('G3.29 no part of a text is lost where its hidden characters are shown', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(
        splitAtHidden(text)
          .map((part) => part.text)
          .join(''),
      ).toBe(text);
    }),
  );
});

test('G8.22 a name from outside is one line without anything that steers a terminal or turns its end around', () => {
  expect(visibleName('a\u001b[31m\u009b1m\tb\n\u202etxt.exe \ud83d')).toBe('a\\u001b[31m\\u009b1m\\u0009b\\u000a\\u202etxt.exe \\ud83d');
  expect(visibleName('\u041e\u0442\u0447\u0451\u0442 \u{1f469}\u200d\u{1f373}.txt')).toBe(
    '\u041e\u0442\u0447\u0451\u0442 \u{1f469}\u200d\u{1f373}.txt',
  );
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (name) => {
      const visible = visibleName(name);
      expect(hasHidden(visible) || /[\t\n\0]/.test(visible) || !visible.isWellFormed()).toBe(false);
      expect(visibleName(visible)).toBe(visible);
    }),
  );
});
