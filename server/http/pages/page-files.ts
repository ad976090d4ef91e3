import type { PageLanguage } from './landing-choice.ts';

/*
 * The folder of prerendered pages in a build. No address leads to it: files whose names begin with a dot are not served.
 */

/** The prerendered landing page. */
export function landingPageFile(language: PageLanguage): string {
  return `.pages/${language}.html`;
}

/** The page of the client for another address, `/name`. */
export function pageFile(language: PageLanguage, name: string): string {
  return `.pages/${language}/${name}.html`;
}

/** The page for missing addresses. No real page has a digit in its address. */
export const notFoundPage = '404';

/** The page for missing addresses below `/help/`. */
export const helpNotFoundFile = 'help/404.html';

/** The page of signed links to questions, `/q/{token}`. */
export const questionLinkPage = 'q';
