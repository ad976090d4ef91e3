import { type PageHead, put, withHead } from './page-head.ts';
import { takeLines } from './take-lines.ts';

export type PrerenderedPage = PageHead & {
  markup: string;
  /** Whether the client hydrates the markup, or replaces it as a picture. */
  place: 'root' | 'still';
  /** The stylesheets of the page's parts by their addresses, in their order. */
  styles: readonly { href: string; css: string }[];
  /** Addresses of the scripts that the page takes its markup over with. */
  scripts: readonly string[];
  /** The script of the first paint, as the client's page asks for it at `/boot.js`. */
  boot: string;
  /** The inline script that decides when the page's scripts and fonts load. */
  begin: string;
};

const moduleScripts = ['<script type="module"', '<link rel="modulepreload"'];
const fontFaces = /@font-face\s*\{[^{}]*\}/g;
/** Fonts that load as files. Until then a system font with the same metrics is used. */
const isFetched = (face: string) => face.includes('url(/');
/** Writes the project name of the address into the picture. Removes the picture where the address names the other canvas. */
const nameProject = `{
      const name = new URLSearchParams(location.search).get('projectId');
      if (name === 'public-review') document.getElementById('still').remove();
      else if (name && name !== 'public-demo') for (const heading of document.querySelectorAll('#still h1')) heading.textContent = name.slice(0, 120);
    }`;
const stylesheets = ['<link rel="stylesheet"'];

/** A page as one document: the client's built page with the markup in it, its head, and every style that its first paint needs. */
export function prerenderedDocument(shell: string, page: PrerenderedPage): string {
  const { language, markup, place, styles, scripts, boot, begin } = page;
  const moduleLines = takeLines(takeLines(shell, stylesheets).rest, moduleScripts);
  const later = [...moduleLines.taken, ...scripts.map(preload)].join('');
  const css = styles.map((style) => style.css.trim()).join('\n');
  const fonts = `<style>${(css.match(fontFaces) ?? []).filter(isFetched).join('')}</style>`;
  const document = withHead(moduleLines.rest, page, [
    `<style>${css.replace(fontFaces, (face) => (isFetched(face) ? '' : face))}</style>`,
    // Named, so that the script does not load them again; disabled, so that the browser does not either.
    ...styles.map(({ href }) => `<link rel="stylesheet" href="${href}" disabled />`),
    `<template id="later">${fonts}${later}</template>`,
    // For browsers without scripts, which would not load them otherwise.
    `<noscript>${fonts}</noscript>`,
    `<script>${begin.trim()}</script>`,
  ]);
  // One request fewer before the first paint.
  const begun = put(document, '<script src="/boot.js"></script>', `<script>${boot.replaceAll('\r\n', '\n')}</script>`);
  const root = '<div id="root"></div>';
  const drawn = `<div id="${place}" data-language="${language}">${markup}</div>`;
  return put(begun, root, place === 'root' ? drawn : `${root}${drawn}<script>${nameProject}</script>`);
}

function preload(href: string): string {
  return `<link rel="modulepreload" crossorigin href="${href}" />`;
}
