import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { describe, expect, test } from 'vitest';
import { pageLanguage } from '../../../server/http/landing-choice.ts';
import { resolveTheme } from '../../../src/ui/theme.tsx';

const script = readFileSync(join(import.meta.dirname, '../../../public/boot.js'), 'utf8');

type Visit = { stored?: string | null; systemDark?: boolean; search?: string; cookie?: string; setting?: string; storageDenied?: boolean };

/** Runs the script of the first paint as a browser would, and returns what it wrote into the page. */
function boot(visit: Visit) {
  const { stored = null, systemDark = false, search = '', cookie = '', setting = 'ru', storageDenied = false } = visit;
  const metas: Record<string, { content: string }> = { 'theme-color': { content: '' }, 'default-locale': { content: setting } };
  const documentElement = { dataset: {} as { theme?: string }, lang: '' };
  runInNewContext(script, {
    document: { documentElement, cookie, querySelector: (selector: string) => metas[/"(.+)"/.exec(selector)?.[1] ?? ''] },
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
  return { theme: documentElement.dataset.theme, lang: documentElement.lang, themeColor: metas['theme-color']?.content };
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
    ['an empty address says nothing', { search: '?lang=', cookie: 'language=en' }, 'en'],
  ] as const)('R01.01 %s, to the page’s script and to the server alike', (_, visit: Visit, lang) => {
    expect(boot(visit).lang).toBe(lang);
    const asked = new URLSearchParams(visit.search).get('lang');
    expect(pageLanguage({ asked, cookies: visit.cookie, setting: visit.setting ?? 'ru' })).toBe(lang);
  });
});
