import { type Language, languages } from '../../src/ui/i18n/languages.ts';
import { takeLines } from './take-lines.ts';

export type PageHead = {
  language: Language;
  title: string;
  description: string;
  /** The product's name. */
  site: string;
  /** The page's own URL; null for the page of unknown URLs. */
  path: string | null;
  /** Whether search engines may show it. */
  open: boolean;
};

const locales: Record<Language, string> = { ru: 'ru_RU', en: 'en_US' };
/** The head of the client's page for every URL, in both languages. */
const general = [
  '<title',
  '<meta name="description"',
  '<meta property="og:title"',
  '<meta property="og:description"',
  '<meta property="og:site_name"',
];

/**
 * The client's built page with a head in one language, and `lines` at the head's end. Addresses in it begin at the root; the server,
 * which knows its own, makes them whole (`addressed-page.ts`).
 */
export function withHead(
  shell: string,
  { language, title, description, site, path, open }: PageHead,
  lines: readonly string[] = [],
): string {
  const head = [
    `<title>${escaped(title)}</title>`,
    meta('name', 'description', description),
    ...(open ? [] : [meta('name', 'robots', 'noindex')]),
    meta('property', 'og:site_name', site),
    meta('property', 'og:title', title),
    meta('property', 'og:description', description),
    meta('property', 'og:locale', locales[language]),
    ...languages.filter((other) => other !== language).map((other) => meta('property', 'og:locale:alternate', locales[other])),
    ...(path === null ? [] : addresses(path)),
    ...lines,
  ];
  const inLanguage = put(takeLines(shell, general).rest, '<html lang="ru"', `<html lang="${language}"`);
  return put(inLanguage, '  </head>', `${head.map((line) => `    ${line}\n`).join('')}  </head>`);
}

/** Replaces a part that the document must have. */
export function put(document: string, piece: string, text: string): string {
  if (!document.includes(piece)) throw new Error(`The client's page has no ${piece}`);
  return document.replace(piece, () => text);
}

function addresses(path: string): string[] {
  return [
    meta('property', 'og:url', path),
    `<link rel="canonical" href="${path}" />`,
    ...languages.map((language) => `<link rel="alternate" hreflang="${language}" href="${path}?lang=${language}" />`),
    `<link rel="alternate" hreflang="x-default" href="${path}" />`,
  ];
}

function meta(kind: 'name' | 'property', key: string, content: string): string {
  return `<meta ${kind}="${key}" content="${escaped(content)}" />`;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
}
