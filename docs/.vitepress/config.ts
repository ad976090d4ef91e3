import { createHash } from 'node:crypto';
import { cpSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { type DefaultTheme, defineConfig, type MarkdownRenderer } from 'vitepress';
import { docs, type HelpLanguage, headingAddress, helpParts, isLeftOut, leftOut, llmsText, pageOf, untranslated } from './chapters.ts';

/** Where Artel's server has the site, and so has a host of static files. */
const base = '/help/';
const summary = 'A web workspace where a team of AI agents on an infinite canvas does the task you hand it.';
const root = join(docs, '..');
const title: Record<HelpLanguage, string> = { en: 'Artel help', ru: 'Справка Артели' };
/** Scripts that stood in pages, by their addresses: the server allows none there. */
const scripts = new Map<string, string>();

export default defineConfig({
  base,
  outDir: join(root, '.vite', 'help'),
  cacheDir: join(root, '.vite', 'help-cache'),
  srcExclude: leftOut.flatMap((start) => [`${start}.md`, `${start}/**`]),
  title: title.en,
  description: summary,
  metaChunk: true,
  // The choice of the theme is the workspace's.
  appearance: { storageKey: 'theme' },
  head: [['link', { rel: 'icon', type: 'image/svg+xml', href: `${base}icon.svg` }]],
  locales: {
    root: { label: 'English', lang: 'en', themeConfig: { ...navigation('en'), outline: { level: [2, 3] } } },
    ru: { label: 'Русский', lang: 'ru', title: title.ru, themeConfig: { ...navigation('ru'), ...russianWords() } },
  },
  themeConfig: {
    logo: '/icon.svg',
    notFound: {
      title: 'There is no such page',
      quote: 'Perhaps it has another name now.',
      linkText: 'To the first page',
      linkLabel: 'First page',
    },
    // Not every chapter is in both languages: the other language begins at its first page.
    i18nRouting: false,
    search: { provider: 'local', options: { locales: { ru: { translations: russianSearch() } } } },
  },
  markdown: {
    config(md) {
      keepLinksOfSite(md);
      addEnglishAddresses(md);
    },
    anchor: { slugify: headingAddress },
  },
  transformPageData(page) {
    const language = page.relativePath.startsWith('ru/') ? 'ru' : 'en';
    const chapters = helpParts(language).flatMap((part) => part.chapters);
    page.description ||= chapters.find(({ title }) => title === page.title)?.summary ?? '';
    // The first page shows each chapter, with its first sentence.
    if (page.frontmatter.layout !== 'home') return;
    const featuresOf = (of: HelpLanguage, all: typeof chapters) =>
      all.map(({ name, title, summary }) => ({ title, details: summary.replaceAll('`', ''), link: `/${pageOf(of, name)}` }));
    page.frontmatter.features = [...featuresOf(language, chapters), ...featuresOf('en', untranslated(language))];
  },
  // No page has an icon of another site, whose styles would be an empty file.
  transformHtml: (page) =>
    page.replace(/<link [^>]*vp-icons\.css[^>]*>/, '').replace(/<script id="check-[a-z-]+">([^<]*)<\/script>/g, (_, script: string) => {
      const code = script.replaceAll('vitepress-theme-appearance', 'theme');
      const name = `assets/${createHash('sha256').update(code).digest('base64url').slice(0, 8)}.js`;
      scripts.set(name, code);
      return `<script src="${base}${name}"></script>`;
    }),
  buildEnd({ outDir }) {
    for (const [name, code] of scripts) writeFileSync(join(outDir, name), code);
    cpSync(join(root, 'public', 'icon.svg'), join(outDir, 'icon.svg'));
    writeFileSync(join(outDir, 'llms.txt'), llmsText(base, summary));
    const chapters = (['en', 'ru'] as const).flatMap((language) => helpParts(language).flatMap((part) => part.chapters));
    writeFileSync(join(outDir, 'llms-full.txt'), chapters.map(({ text }) => text.trim()).join('\n\n'));
  },
});

/** The parts above and beside a page. What is not in Russian yet is listed there in English. */
function navigation(language: HelpLanguage): Pick<DefaultTheme.Config, 'nav' | 'sidebar'> {
  const linksTo = (of: HelpLanguage, chapters: ReturnType<typeof untranslated>) =>
    chapters.map(({ name, title }) => ({ text: title, link: `/${pageOf(of, name)}` }));
  const own = helpParts(language).map(({ title, chapters }) => ({ text: title, items: linksTo(language, chapters) }));
  const others = linksTo('en', untranslated(language));
  return {
    nav: own.map(({ text, items }) => ({ text, link: items[0]?.link ?? '/' })),
    sidebar: others.length > 0 ? [...own, { text: 'На английском', items: others }] : own,
  };
}

/** Leaves the words of a link whose target is in the repository and not on the site. A link by the name of a file gets the chapter's title. */
function keepLinksOfSite(md: MarkdownRenderer): void {
  md.core.ruler.push('links-of-the-site', ({ tokens, env }) => {
    for (const token of tokens) {
      let isKept = true;
      token.children = (token.children ?? []).filter((part, at, all) => {
        const words = all[at + 1];
        if (part.type === 'link_open') isKept = isOnSite(String(part.attrGet('href')), String(env.relativePath));
        if (part.type === 'link_open' && words?.content.endsWith('.md')) words.content = titleOf(words.content, String(env.relativePath));
        return isKept || !part.type.startsWith('link_');
      });
    }
  });
}

/** Gives the headings of a Russian chapter the addresses of the English ones too: the app's Help knows only these. */
function addEnglishAddresses(md: MarkdownRenderer): void {
  md.core.ruler.push('english-addresses', ({ tokens, env, Token }) => {
    const [, file] = /^ru\/(.+)$/.exec(String(env.relativePath)) ?? [];
    if (file === undefined || !existsSync(join(docs, file))) return;
    const english = md.parse(readFileSync(join(docs, file), 'utf8'), {}).filter(({ type }) => type === 'heading_open');
    for (const [at, heading] of tokens.filter(({ type }) => type === 'heading_open').entries()) {
      const address = english[at]?.attrGet('id');
      if (!address || heading.tag === 'h1' || heading.attrGet('id') === address) continue;
      const place = new Token('html_inline', '', 0);
      place.content = `<span id="${address}"></span>`;
      tokens[tokens.indexOf(heading) + 1]?.children?.unshift(place);
    }
  });
}

function titleOf(file: string, page: string): string {
  const chapters = helpParts(page.startsWith('ru/') ? 'ru' : 'en').flatMap((part) => part.chapters);
  return chapters.find(({ name }) => name === posix.basename(file, '.md'))?.title ?? file;
}

function isOnSite(target: string, page: string): boolean {
  if (/^([a-z]+:|#|\/)/.test(target)) return true;
  const file = posix.join(posix.dirname(page), target.replace(/#.*/, ''));
  return !isLeftOut(file) && !file.startsWith('..') && existsSync(join(docs, file));
}

function russianWords(): DefaultTheme.Config {
  return {
    outline: { level: [2, 3], label: 'На этой странице' },
    docFooter: { prev: 'Назад', next: 'Дальше' },
    darkModeSwitchLabel: 'Тема',
    lightModeSwitchTitle: 'Светлая тема',
    darkModeSwitchTitle: 'Тёмная тема',
    sidebarMenuLabel: 'Главы',
    returnToTopLabel: 'Наверх',
    langMenuLabel: 'Язык',
    skipToContentLabel: 'К содержанию',
    notFound: { title: 'Такой страницы нет', quote: 'Возможно, её назвали иначе.', linkText: 'К началу справки', linkLabel: 'К началу' },
  };
}

function russianSearch(): DefaultTheme.LocalSearchOptions['translations'] {
  return {
    button: { buttonText: 'Поиск', buttonAriaLabel: 'Поиск' },
    modal: {
      displayDetails: 'Показать подробности',
      resetButtonTitle: 'Очистить',
      backButtonTitle: 'Закрыть поиск',
      noResultsText: 'Ничего не найдено:',
      footer: { selectText: 'открыть', navigateText: 'выбрать', closeText: 'закрыть' },
    },
  };
}
