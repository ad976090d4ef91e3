import { compile } from 'html-to-text';

/** Blocks of a page that say nothing of its subject, and pictures. */
const left = ['img', 'svg', 'script', 'style', 'noscript', 'template', 'iframe', 'form'];

const toText = compile({
  wordwrap: false,
  limits: { maxDepth: 200 },
  selectors: [
    ...left.map((selector) => ({ selector, format: 'skip' })),
    { selector: 'a', options: { hideLinkHrefIfSameAsText: true } },
    { selector: 'table', format: 'dataTable' },
    ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map((selector) => ({ selector, options: { uppercase: false } })),
  ],
});

/** The task of the threads of `createHtmlText`. */
export const htmlToText = (html: string): string => toText(html);
