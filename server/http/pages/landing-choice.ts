export type PageLanguage = 'ru' | 'en';

/** The addresses of the landing page, without their query. What stands at others is drawn by script alone. */
export const landingPaths = ['/', '/landing'] as const;

export type PageVisit = { asked: string | null; cookies: string | undefined; accepted: string | undefined; setting: string };

/**
 * The language in which a visitor is answered: the address's, else the one chosen before, which the page keeps in a cookie, else the
 * operator's setting, of which `auto` takes the browser's languages. `public/boot.js` decides by the same rule, for pages that came
 * another way, and keeps the address's choice. R01.01
 */
export function pageLanguage({ asked, cookies, accepted, setting }: PageVisit): PageLanguage {
  const chosen = /(?:^|;)[ \t]{0,8}language=([^;]+)/.exec(cookies ?? '')?.[1];
  const tag = asked || chosen || (isAuto(setting) ? preferredTag(accepted) : setting) || 'ru';
  return baseOf(tag) === 'ru' ? 'ru' : 'en';
}

/** Whether visitors who chose nothing get the language of their browser. */
export function isAuto(setting: string): boolean {
  return setting.toLowerCase() === 'auto';
}

/** The setting that the build wrote into a page of the client. */
export function localeSetting(page: string): string {
  return /<meta name="default-locale" content="([^"]*)"/.exec(page)?.[1] ?? '';
}

/** The best liked language of an `Accept-Language` header that there are pages in; English where it names neither, nothing without one. */
function preferredTag(accepted: string | undefined): string {
  if (!accepted) return '';
  const offers = accepted
    .slice(0, 500)
    .split(',')
    .map((offer) => {
      const [tag = '', ...parameters] = offer.split(';').map((part) => part.trim());
      const quality = parameters.find((parameter) => parameter.startsWith('q='));
      return { base: baseOf(tag), weight: quality === undefined ? 1 : Number(quality.slice(2)) || 0 };
    })
    .filter(({ base, weight }) => (base === 'ru' || base === 'en') && weight > 0)
    .sort((one, other) => other.weight - one.weight);
  return offers[0]?.base ?? 'en';
}

function baseOf(tag: string): string {
  return tag.toLowerCase().split('-')[0] ?? '';
}
