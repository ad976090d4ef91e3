export type PageLanguage = 'ru' | 'en';

/** The paths of the landing page, without their query. Other pages are rendered only by script. */
export const landingPaths = ['/', '/landing'] as const;

export type PageVisit = { asked: string | null; cookies: string | undefined; accepted: string | undefined; setting: string };

/**
 * Returns the language for a visitor: from the address, else from the cookie with an earlier choice, else from the operator's setting;
 * `auto` follows the browser's languages. `public/boot.js` applies the same rule to pages from other servers, and stores the choice in
 * the address. R01.01
 */
export function pageLanguage({ asked, cookies, accepted, setting }: PageVisit): PageLanguage {
  const chosen = /(?:^|;)[ \t]{0,8}language=([^;]+)/.exec(cookies ?? '')?.[1];
  const tag = asked || chosen || (isAuto(setting) ? preferredTag(accepted) : setting) || 'ru';
  return baseOf(tag) === 'ru' ? 'ru' : 'en';
}

/** Whether visitors without a choice get the language of their browser. */
export function isAuto(setting: string): boolean {
  return setting.toLowerCase() === 'auto';
}

/** The setting as the build wrote it into a page of the client. */
export function localeSetting(page: string): string {
  return /<meta name="default-locale" content="([^"]*)"/.exec(page)?.[1] ?? '';
}

/** Returns the preferred supported language of an `Accept-Language` header; empty if it names none. */
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
  return offers[0]?.base ?? '';
}

function baseOf(tag: string): string {
  return tag.toLowerCase().split('-')[0] ?? '';
}
