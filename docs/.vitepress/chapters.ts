import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export type HelpLanguage = 'en' | 'ru';
type Chapter = { name: string; title: string; summary: string; text: string };
type Part = { title: string; chapters: Chapter[] };

export const docs = join(import.meta.dirname, '..');
const folders: Record<HelpLanguage, string> = { en: docs, ru: join(docs, 'ru') };

/** How each path of a page begins that is for those who change Artel: the repository has it, the site has not. */
export const leftOut = ['architecture', 'decisions', 'features'];
export const isLeftOut = (path: string) => leftOut.some((start) => path.startsWith(start));

/** The order of the chapters. A chapter that no part names stands at the end of the last one. */
const parts: { title: Record<HelpLanguage, string>; names: string[] }[] = [
  { title: { en: 'First steps', ru: 'Первые шаги' }, names: ['first-run', 'ticket-to-pull-request', 'models'] },
  { title: { en: 'Teams at work', ru: 'Команды за работой' }, names: ['people', 'tools', 'runner', 'triggers', 'programs', 'run-by-api'] },
  { title: { en: 'For operators', ru: 'Владельцу сервера' }, names: ['operation', 'settings', 'behind-a-proxy'] },
];

/** The names of the chapters in a language, without its first page. */
export function chapterNames(language: HelpLanguage): string[] {
  const folder = folders[language];
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((file) => file.endsWith('.md') && file !== 'index.md' && !isLeftOut(file))
    .map((file) => file.slice(0, -'.md'.length));
}

/** The parts of the help in a language, with the chapters that are there. */
export function helpParts(language: HelpLanguage): Part[] {
  const left = new Set(chapterNames(language));
  const found = parts.map(({ title, names }) => ({ title: title[language], names: names.filter((name) => left.delete(name)) }));
  found.at(-1)?.names.push(...[...left].sort());
  return found
    .filter(({ names }) => names.length > 0)
    .map(({ title, names }) => ({ title, chapters: names.map((name) => readChapter(language, name)) }));
}

/** The chapters in English that a language lacks. */
export function untranslated(language: HelpLanguage): Chapter[] {
  const own = new Set(chapterNames(language));
  return helpParts('en').flatMap(({ chapters }) => chapters.filter(({ name }) => !own.has(name)));
}

/** A chapter with its first heading, and the first sentence below it; without one, what its parts are about. */
function readChapter(language: HelpLanguage, name: string): Chapter {
  const text = readFileSync(join(folders[language], `${name}.md`), 'utf8');
  const [heading = '', first = ''] = text.trim().split(/\n\s*\n/);
  const headings = [...text.matchAll(/^## (.+)$/gm)].map(([, words]) => words);
  const words = first
    .replace(/\s+/g, ' ')
    .replace(/\[([^\][]*)\]\([^)]*\)/g, '$1')
    .replace(/ \([^()]*\.md\)/g, '');
  const summary = first.startsWith('#') ? `${headings.join('; ')}.` : (words.split(/(?<=[.!?]) /)[0] ?? '');
  return { name, title: heading.replace(/^# /, ''), summary, text };
}

/** The index of the help for programs that read it: https://llmstxt.org. */
export function llmsText(base: string, summary: string): string {
  const lines = (['en', 'ru'] as const).flatMap((language) =>
    helpParts(language).flatMap(({ title, chapters }) => [
      ...['', `## ${title}`, ''],
      ...chapters.map((chapter) => `- [${chapter.title}](${base}${pageOf(language, chapter.name)}): ${chapter.summary}`),
    ]),
  );
  return [`# Artel`, '', `> ${summary}`, ...lines, ''].join('\n');
}

/** The address of a heading, by the rule of the hosts of repositories: a link leads to the same heading there and on the site. */
export function headingAddress(heading: string): string {
  const words = heading.trim().toLowerCase();
  return words.replace(/[^\p{L}\p{N}\s_-]/gu, '').replace(/\s/g, '-');
}

/** The page of a chapter below the site's address. */
export function pageOf(language: HelpLanguage, name: string): string {
  return `${language === 'ru' ? 'ru/' : ''}${name}.html`;
}
