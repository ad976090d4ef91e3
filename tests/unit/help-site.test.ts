import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Project } from '../../contract/project.ts';
import { chapterNames, docs, headingAddress, helpParts, llmsText, pageOf } from '../../docs/.vitepress/chapters.ts';
import { chapterOfSection, chapterOfTab, chapterOfWindow, helpAddress } from '../../src/app/workspace/help/help-chapters.ts';

const forDevelopers = ['architecture', 'decisions', 'features'];
const closed = { window: null, settingsAgentId: null, console: 'closed', tab: 'test' } as const;

test('the help has every page of docs but those for developers, each once and with its first sentence', () => {
  for (const [language, folder] of [
    ['en', docs],
    ['ru', join(docs, 'ru')],
  ] as const) {
    const chapters = helpParts(language).flatMap((part) => part.chapters);
    const files = globSync('*.md', { cwd: folder }).map((file) => file.replace('.md', ''));
    expect(chapters.map(({ name }) => name).sort()).toEqual(files.filter((name) => ![...forDevelopers, 'index'].includes(name)).sort());
    expect(chapters.filter(({ title, summary }) => !/^\p{L}/u.test(title) || !/^\p{L}.*[.:!?]$/u.test(summary))).toEqual([]);
  }
});

test('llms.txt is a title, a summary and a list with a sentence for each chapter', () => {
  const text = llmsText('/help/', 'A workspace.');
  expect(text).toMatch(/^# Artel\n\n> A workspace\.\n\n## /);
  for (const language of ['en', 'ru'] as const)
    for (const name of chapterNames(language))
      expect(text).toMatch(new RegExp(`^- \\[.+\\]\\(/help/${pageOf(language, name)}\\): .+$`, 'm'));
});

test('the chapter of each window, kind of connection and tab exists, with its heading', () => {
  const named = ['models#budgets', ...[chapterOfWindow, chapterOfSection, chapterOfTab].flatMap((chapters) => Object.values(chapters))];
  const missing = named.filter((chapter) => {
    const [name, heading] = chapter.split('#');
    const headings = readFileSync(join(docs, `${name}.md`), 'utf8').matchAll(/^##+ (.+)$/gm);
    return heading !== undefined && ![...headings].some(([, words = '']) => headingAddress(words) === heading);
  });
  expect(missing).toEqual([]);
});

test('a Russian chapter has the headings of the English one, in its order', () => {
  for (const name of chapterNames('ru')) {
    const levels = (folder: string) =>
      [...readFileSync(join(folder, `${name}.md`), 'utf8').matchAll(/^##+(?= )/gm)].map(([level]) => level);
    expect(levels(join(docs, 'ru')), name).toEqual(levels(docs));
  }
});

test('Help leads to the chapter of what is open, in Russian where it exists', () => {
  const address = (opened: Partial<Parameters<typeof helpAddress>[0]>) =>
    (['en', 'ru'] as const).map((language) => helpAddress({ ...closed, ...opened }, language, ['models']));
  expect(address({})).toEqual(['/help/index.html', '/help/ru/index.html']);
  const budgetsOf = { id: 'project' } as Project;
  expect(address({ window: { kind: 'account', budgetsOf } })).toEqual(['/help/models.html#budgets', '/help/ru/models.html#budgets']);
  expect(address({ window: { kind: 'account' } })[0]).toBe('/help/first-run.html#your-account');
  expect(address({ window: { kind: 'connect', section: 'keys' } })).toEqual(['/help/programs.html#call-it', '/help/programs.html#call-it']);
  expect(address({ window: { kind: 'connect' } })[0]).toBe('/help/programs.html');
  expect(address({ settingsAgentId: 'agent' })[0]).toBe('/help/models.html');
  // The palette lies over what the help is looked for.
  expect(address({ window: { kind: 'palette', scope: 'all' }, console: 'open' })[0]).toBe('/help/runner.html');
});
