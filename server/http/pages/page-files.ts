import type { PageLanguage } from './landing-choice.ts';

/*
 * Where a build keeps pages that are more than the client's empty one, in its folder: no address leads to files that begin with a dot.
 */

/** The prerendered landing page. */
export function landingPageFile(language: PageLanguage): string {
  return `.pages/${language}.html`;
}

/** The page of the client for another address, `/name`. */
export function pageFile(language: PageLanguage, name: string): string {
  return `.pages/${language}/${name}.html`;
}

/** The name of the page for every address that leads nowhere; no address of a page has a digit. */
export const notFoundPage = '404';
