import { expect, test } from 'vitest';
import { idOf } from '../../../scripts/client-build/build-id.ts';
import { isOtherVersion } from '../../../src/ui/is-other-version.ts';

test('a page is of an older version only where it and its server both name one, and not the same', () => {
  expect(isOtherVersion('one', 'other')).toBe(true);
  expect(isOtherVersion('one', 'one')).toBe(false);
  expect(isOtherVersion('one', null)).toBe(false);
  expect(isOtherVersion(undefined, 'other')).toBe(false);
  expect(isOtherVersion('', 'other')).toBe(false);
});

test("a build's id follows from the names of its files, in any order of writing", () => {
  expect(idOf(['assets/a-1.js', 'assets/b-2.css'])).toBe(idOf(['assets/b-2.css', 'assets/a-1.js']));
  expect(idOf(['assets/a-1.js', 'assets/b-2.css'])).not.toBe(idOf(['assets/a-1.js', 'assets/b-3.css']));
});
