import { expect, test } from 'vitest';
import { readRepositoryAddress } from '../../../../server/platform/git/repository-address.ts';

const bakery = 'https://git.example/ann/bakery';

test.each([
  [bakery, bakery, null],
  [`${bakery}/`, bakery, null],
  [`${bakery}.git`, `${bakery}.git`, null],
  ['github.com/ann/bakery', 'https://github.com/ann/bakery', null],
  ['git.example:8443/ann/bakery', 'https://git.example:8443/ann/bakery', null],
  ['git@git.example:ann/bakery.git', `${bakery}.git`, null],
  ['ssh://git@git.example:2222/ann/bakery', bakery, null],
  [`${bakery}/tree/main`, bakery, 'main'],
  [`${bakery}/tree/feature/login/src`, bakery, 'feature/login/src'],
  [`${bakery}/blob/v1.0/docs/%D0%9E%D1%82%D1%87%D1%91%D1%82.md?plain=1#L3`, bakery, 'v1.0/docs/Отчёт.md'],
  [`${bakery}/-/tree/trunk?ref_type=heads`, bakery, 'trunk'],
  ['https://git.example/group/sub/deep/-/blob/trunk/a.ts', 'https://git.example/group/sub/deep', 'trunk/a.ts'],
  ['https://git.example/group/sub/deep/-/merge_requests/4', 'https://git.example/group/sub/deep', null],
  [`${bakery}/src/branch/next/src/bake.ts`, bakery, 'next/src/bake.ts'],
  [`${bakery}/src/tag/v1`, bakery, 'v1'],
  [`${bakery}/src/main/`, bakery, 'main'],
  [`${bakery}/commit/0a1b2c3d`, bakery, '0a1b2c3d'],
  [`${bakery}/issues`, bakery, null],
  [`${bakery}/pull/7/files`, bakery, null],
  ['https://git.example/group/sub/tree', 'https://git.example/group/sub/tree', null],
  ['https://git.example/tree/blob', 'https://git.example/tree/blob', null],
  ['https://git.example/group/sub/src/app.git', 'https://git.example/group/sub/src/app.git', null],
  ['https://git.example/group/sub/issues.git', 'https://git.example/group/sub/issues.git', null],
  ['https://git.example/group/sub/deep/src/app', 'https://git.example/group/sub/deep/src/app', null],
  ['https://git.example/group/sub/src/app/-/tree/main', 'https://git.example/group/sub/src/app', 'main'],
])('G3.19 the address %s is read as the repository %s and the page %s', (given, url, page) => {
  expect(readRepositoryAddress(given, false)).toEqual({ url, page });
});

test.each([
  '',
  'bakery',
  'https://git.example',
  'https://git.example/',
  'http://git.example/ann/bakery',
  'https://ann:secret@git.example/a/b',
  'ftp://git.example/a/b',
  'file:///etc/passwd',
  '../ann/bakery',
  '/etc/passwd',
  './a/b',
])('G3.19 %j is no address of a repository', (given) => {
  expect(readRepositoryAddress(given, false)).toBeNull();
});

test.each(['src', 'branch', 'raw', 'edit', 'tree', 'blob', 'blame', 'commit', 'issues'])(
  'G3.21 a repository to publish to in a subgroup called %s is that one',
  (group) => {
    const url = `https://git.example/team/sub/${group}/app`;
    const read = (text: string) => readRepositoryAddress(text, false, { takesPages: false });
    expect(read(url)).toEqual({ url, page: null });
    expect(read(`git.example/team/sub/${group}/app/`)).toEqual({ url, page: null });
    expect(read(`git@git.example:team/sub/${group}/app.git`)).toEqual({ url: `${url}.git`, page: null });
  },
);
