import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../..');
const documents = [
  'README.md',
  'CONTRIBUTING.md',
  'CHANGELOG.md',
  'SECURITY.md',
  ...['docs', 'docs/ru', 'docs/decisions'].flatMap((folder) =>
    readdirSync(join(root, folder))
      .filter((name) => name.endsWith('.md'))
      .map((name) => `${folder}/${name}`),
  ),
];

/** Folders of the repository at which a path may begin. */
const folders = ['async', 'bench', 'contract', 'deploy', 'docs', 'locales', 'public', 'rules', 'scripts', 'server', 'src', 'tests'];
const pathPattern = new RegExp(`(?<![\\w./-])(?:${folders.join('|')})/[\\w./-]*`, 'g');

test.each(documents)('every path in %s exists', (name) => {
  const missing = [...pathsOf(name), ...targetsOf(name)].filter((path) => !existsSync(join(root, path)));
  expect(missing).toEqual([]);
});

test.each(documents)('every heading that %s leads to exists', (name) => {
  const led = [...text(name).matchAll(/\]\((?!https?:)([^)#]*\.md|)#([^)]+)\)/g)].map(([, target, anchor]) => ({
    page: target ? join(dirname(name), target) : name,
    anchor: decodeURIComponent(anchor as string),
  }));
  expect(led.filter(({ page, anchor }) => !anchorsOf(page).includes(anchor))).toEqual([]);
});

test('the search for paths finds them', () => {
  expect(pathsOf('docs/architecture.md').length).toBeGreaterThan(80);
  expect(targetsOf('README.md')).toContain('docs/architecture.md');
});

test.each(documents)('every npm script in %s exists', (name) => {
  const { scripts } = JSON.parse(text('package.json')) as { scripts: Record<string, string> };
  const named = [...text(name).matchAll(/npm run ([\w:-]+)/g)].map(([, script]) => script as string);
  expect(named.filter((script) => !(script in scripts))).toEqual([]);
});

test.each(documents)('%s runs no TypeScript by a bare node, which may be one that cannot', (name) => {
  expect(text(name).match(/(?<!npx )\bnode (?:-\S+ )*[\w./-]+\.ts\b/g) ?? []).toEqual([]);
});

test('the guide for contributors names every benchmark, and the README leads to it', () => {
  const { scripts } = JSON.parse(text('package.json')) as { scripts: Record<string, string> };
  const benchmarks = Object.keys(scripts).filter((script) => script.startsWith('bench:'));
  expect(benchmarks.length).toBeGreaterThan(0);
  expect(benchmarks.filter((script) => !text('CONTRIBUTING.md').includes(`npm run ${script}`))).toEqual([]);
  expect(targetsOf('README.md')).toContain('CONTRIBUTING.md');
});

test('every decision has its date and its state, and the list of decisions leads to it', () => {
  const pages = readdirSync(join(root, 'docs/decisions')).map((name) => `docs/decisions/${name}`);
  const dated = /^# .+\n\nDecided on \d{4}-\d\d-\d\d(, last changed on \d{4}-\d\d-\d\d)?\. State: .+\.\n/;
  expect(pages.filter((name) => !dated.test(text(name)))).toEqual([]);
  expect(targetsOf('docs/decisions.md').toSorted()).toEqual(pages.toSorted());
});

function text(name: string): string {
  return readFileSync(join(root, name), 'utf8');
}

/** Paths from the root of the repository, without the full stop of a sentence. */
function pathsOf(name: string): string[] {
  return [...text(name).matchAll(pathPattern)].map(([path]) => path.replace(/[./]+$/, '')).filter((path) => path.includes('/'));
}

/** What GitHub makes of the headings of a page: small letters and figures, with a hyphen for each space. */
function anchorsOf(name: string): string[] {
  const headings = [...text(name).matchAll(/^#+ (.+)$/gm)].map(([, heading]) => (heading as string).toLowerCase());
  return headings.map((heading) => heading.replaceAll(/[^\p{L}\p{N}\s_-]/gu, '').replaceAll(' ', '-'));
}

/** Targets of links, from the folder of the document. */
function targetsOf(name: string): string[] {
  return [...text(name).matchAll(/\]\((?!https?:|#)([^)#]+)[^)]*\)/g)].map(([, target]) => join(dirname(name), target as string));
}
