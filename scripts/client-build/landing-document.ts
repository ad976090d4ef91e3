import type { PrerenderedLanding } from '../../src/app/prerendered-landing.ts';

export type LandingDocument = PrerenderedLanding & {
  /** The stylesheets of the page's parts by their addresses, in their order. */
  styles: readonly { href: string; css: string }[];
  /** Addresses of the scripts that the page takes its markup over with. */
  scripts: readonly string[];
  /** The script of the first paint, as the client's page asks for it at `/boot.js`. */
  boot: string;
};

const locales = { ru: 'ru_RU', en: 'en_US' } as const;
const languages = ['ru', 'en'] as const;
/** What the client's page says at every address, in both languages at once. */
const general = /^\s*<(?:title|meta (?:name="description"|property="og:(?:title|description|site_name)")).*\n/gm;
const moduleScripts = /^\s*<(?:script type="module"|link rel="modulepreload").*\n/gm;
/** Lets the scripts begin once all of the page has been drawn, which they would only slow down; where nobody looks, once it is there. */
const beginAfterPaint = `addEventListener('DOMContentLoaded', () => {
      const begin = () => document.head.append(document.getElementById('scripts').content);
      if (document.visibilityState === 'hidden') begin();
      else requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(begin)));
      // Where no frame comes; by then there is nothing left to begin elsewhere.
      setTimeout(begin, 5000);
    });`;
const stylesheets = /^\s*<link rel="stylesheet".*\n/gm;

/**
 * The landing page as one document: the client's built page with the markup in it, a head in one language, and every style that its
 * first paint needs. Addresses in the head begin at the root; the server, which knows its own, makes them whole (`addressed-page.ts`).
 */
export function landingDocument(shell: string, page: LandingDocument): string {
  const { language, title, description, site, markup, styles, scripts, boot } = page;
  const later = [...(shell.match(moduleScripts) ?? []).map((line) => line.trim()), ...scripts.map(preload)].join('');
  const head = [
    `<title>${escaped(title)}</title>`,
    meta('name', 'description', description),
    meta('property', 'og:site_name', site),
    meta('property', 'og:title', title),
    meta('property', 'og:description', description),
    meta('property', 'og:url', '/'),
    meta('property', 'og:locale', locales[language]),
    ...languages.filter((other) => other !== language).map((other) => meta('property', 'og:locale:alternate', locales[other])),
    '<link rel="canonical" href="/" />',
    ...languages.map((other) => `<link rel="alternate" hreflang="${other}" href="/?lang=${other}" />`),
    '<link rel="alternate" hreflang="x-default" href="/" />',
    `<style>${styles.map(({ css }) => css.trim()).join('\n')}</style>`,
    // Named, so that the script does not load them anew; disabled, so that the browser does not either.
    ...styles.map(({ href }) => `<link rel="stylesheet" href="${href}" disabled />`),
    `<template id="scripts">${later}</template>`,
    `<script>${beginAfterPaint}</script>`,
  ];
  const lines = head.map((line) => `    ${line}\n`).join('');
  const edits = [
    ['<html lang="ru"', `<html lang="${language}"`],
    // One request fewer before the first paint.
    ['<script src="/boot.js"></script>', `<script>${boot.replaceAll('\r\n', '\n')}</script>`],
    ['  </head>', `${lines}  </head>`],
    ['<div id="root"></div>', `<div id="root" data-language="${language}">${markup}</div>`],
  ] as const;
  const bare = shell.replace(general, '').replace(stylesheets, '').replace(moduleScripts, '');
  return edits.reduce((document, [piece, text]) => put(document, piece, text), bare);
}

function preload(href: string): string {
  return `<link rel="modulepreload" crossorigin href="${href}" />`;
}

/** Puts text in the place of a piece that the document must have. */
function put(document: string, piece: string, text: string): string {
  if (!document.includes(piece)) throw new Error(`The client's page has no ${piece}`);
  return document.replace(piece, () => text);
}

function meta(kind: 'name' | 'property', key: string, content: string): string {
  return `<meta ${kind}="${key}" content="${escaped(content)}" />`;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
}
