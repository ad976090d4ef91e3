import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { describe, expect, test } from 'vitest';
import { pageLanguage } from '../../../server/http/pages/landing-choice.ts';
import { languageCookie } from '../../../src/ui/i18n/change-language.ts';
import { resolveTheme } from '../../../src/ui/theme.tsx';

const script = readFileSync(join(import.meta.dirname, '../../../public/boot.js'), 'utf8');

type Visit = {
  stored?: string | null;
  systemDark?: boolean;
  search?: string;
  cookie?: string;
  setting?: string;
  storageDenied?: boolean;
  browser?: readonly string[];
};

/** Runs the script of the first paint as a browser would, and returns what it wrote into the page. */
function boot(visit: Visit) {
  const { stored = null, systemDark = false, search = '', cookie = '', setting = 'ru', storageDenied = false, browser = [] } = visit;
  const metas: Record<string, { content: string }> = { 'theme-color': { content: '' }, 'default-locale': { content: setting } };
  const documentElement = { dataset: {} as { theme?: string }, lang: '' };
  const document = { documentElement, cookie, querySelector: (selector: string) => metas[/"(.+)"/.exec(selector)?.[1] ?? ''] };
  runInNewContext(script, {
    document,
    navigator: { languages: browser },
    localStorage: {
      getItem: () => {
        if (storageDenied) throw new Error('denied');
        return stored;
      },
    },
    matchMedia: () => ({ matches: systemDark }),
    location: { search },
    URLSearchParams,
  });
  return {
    theme: documentElement.dataset.theme,
    lang: documentElement.lang,
    themeColor: metas['theme-color']?.content,
    cookie: document.cookie,
  };
}

describe('the theme of the first paint', () => {
  test.each([
    [{ stored: 'dark', systemDark: false }, 'dark', '#0f172a'],
    [{ stored: 'light', systemDark: true }, 'light', '#ffffff'],
    [{ stored: null, systemDark: true }, 'dark', '#0f172a'],
    [{ stored: null, systemDark: false }, 'light', '#ffffff'],
    [{ stored: 'purple', systemDark: true }, 'dark', '#0f172a'],
  ] as const)('P4.08 %o gives %s', (visit, theme, themeColor) => {
    expect(boot(visit)).toMatchObject({ theme, themeColor });
    expect(resolveTheme(visit.stored, visit.systemDark)).toBe(theme);
  });

  test('P4.08 where storage is denied the system decides', () => {
    expect(boot({ storageDenied: true, stored: 'light', systemDark: true }).theme).toBe('dark');
  });
});

describe('the language of the first paint', () => {
  test.each([
    ['Russian unless anything says otherwise', {}, 'ru'],
    ['the setting', { setting: 'en' }, 'en'],
    ['en-US resolves to en', { setting: 'en-US' }, 'en'],
    ['the visitor’s choice before the setting', { setting: 'en-US', cookie: 'a=1; language=ru' }, 'ru'],
    ['the address before the choice', { cookie: 'language=ru', search: '?lang=en' }, 'en'],
    ['English for a language that is not offered', { search: '?lang=de' }, 'en'],
    ['no other cookie is taken for the choice', { cookie: 'otherlanguage=en' }, 'ru'],
    ['the browser’s first known language where the setting is auto', { setting: 'auto', browser: ['de-DE', 'en-GB', 'ru'] }, 'en'],
    ['Russian by the browser where the setting is auto', { setting: 'auto', browser: ['ru-RU', 'en'] }, 'ru'],
    ['Russian where the browser knows neither', { setting: 'auto', browser: ['de', 'fr'] }, 'ru'],
    ['the choice before the browser', { setting: 'auto', browser: ['ru'], cookie: 'language=en' }, 'en'],
    ['the setting before the browser', { setting: 'ru', browser: ['en'] }, 'ru'],
    ['an empty address says nothing', { search: '?lang=', cookie: 'language=en' }, 'en'],
  ] as const)('R01.01 %s, to the page’s script and to the server alike', (_, visit: Visit, lang) => {
    expect(boot(visit).lang).toBe(lang);
    const asked = new URLSearchParams(visit.search).get('lang');
    const accepted = visit.browser?.map((tag, place) => (place === 0 ? tag : `${tag};q=${1 - place / 10}`)).join(',');
    expect(pageLanguage({ asked, cookies: visit.cookie, accepted, setting: visit.setting ?? 'ru' })).toBe(lang);
  });

  test('R01.01 the address’s language is kept as the buttons’ choice is; one that there are no pages in is not', () => {
    expect(boot({ search: '?lang=en' }).cookie).toBe(languageCookie('en'));
    expect(boot({ search: '?lang=ru-RU' }).cookie).toBe(languageCookie('ru'));
    expect(boot({ search: '?lang=de' }).cookie).toBe('');
    expect(boot({ setting: 'auto', browser: ['en'] }).cookie).toBe('');
  });

  test('R01.01 the server takes the language that is liked best, not the one that is named first', () => {
    const visit = { asked: null, cookies: undefined, setting: 'auto' };
    expect(pageLanguage({ ...visit, accepted: 'ru;q=0.3, en-GB;q=0.9' })).toBe('en');
    expect(pageLanguage({ ...visit, accepted: 'en;q=0, ru;q=0.1' })).toBe('ru');
    expect(pageLanguage({ ...visit, accepted: undefined })).toBe('ru');
  });

  test('R01.01 a build without a setting of its own follows the browser', () => {
    expect(readFileSync(join(import.meta.dirname, '../../../.env'), 'utf8')).toContain('VITE_DEFAULT_LOCALE=auto\n');
  });
});
