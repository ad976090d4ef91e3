export type PageLanguage = 'ru' | 'en';

/** The addresses of the landing page, without their query. What stands at others is drawn by script alone. */
export const landingPaths = ['/', '/landing'] as const;

/**
 * The language in which a visitor is answered: the address's, else the one chosen before, which the page keeps in a cookie, else the
 * operator's setting. `public/boot.js` decides by the same rule, for pages that came another way. R01.01
 */
export function pageLanguage(visit: { asked: string | null; cookies: string | undefined; setting: string }): PageLanguage {
  const chosen = /(?:^|;\s*)language=([^;]+)/.exec(visit.cookies ?? '')?.[1];
  const tag = visit.asked || chosen || visit.setting || 'ru';
  return tag.toLowerCase().split('-')[0] === 'ru' ? 'ru' : 'en';
}

/** The setting that the build wrote into a page of the client. */
export function localeSetting(page: string): string {
  return /<meta name="default-locale" content="([^"]*)"/.exec(page)?.[1] ?? '';
}
