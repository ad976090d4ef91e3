import { expect, test } from 'vitest';
import { entryName, entryPath } from '../../../../server/modules/accounts/export/entry-names.ts';
import { readmeOf } from '../../../../server/modules/accounts/export/readme.ts';

const id = '019a2f10-0000-7000-8000-00000000abcd';

test.each([
  ['Мой проект', 'Мой проект-00000000abcd'],
  ['../../etc/passwd', '_.._etc_passwd-00000000abcd'],
  ['a\u0000b\u202Ec\nd', 'a_b_c_d-00000000abcd'],
  ['  . ', '00000000abcd'],
  ['', '00000000abcd'],
  ['\ud800', '_-00000000abcd'],
  ['😀'.repeat(100), `${'_'.repeat(60)}-00000000abcd`],
])('G8.06 the folder of a project called %j has a name that every system takes', (name, folder) => {
  expect(entryName(name, id)).toBe(folder);
});

test.each([
  ['src/main.ts', 'src/main.ts'],
  ['../up.txt', '_up.txt'],
  ['/etc/passwd', '_etc_passwd'],
  ['C:\\x', 'C__x'],
  ['..', 'file'],
])('G8.06 the path %j of a file stays inside its folder of the export', (path, entry) => {
  expect(entryPath(path)).toBe(entry);
});

test('G8.06 the README has the same files and folders in both languages', () => {
  const placesOf = (language: 'ru' | 'en') => [...readmeOf(language).matchAll(/^(\S+) - /gm)].map(([, place]) => place);
  expect(placesOf('ru')).toEqual(placesOf('en'));
  expect(placesOf('ru').length).toBeGreaterThan(15);
});
