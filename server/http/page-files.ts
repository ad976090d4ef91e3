import type { PageLanguage } from './landing-choice.ts';

/*
 * Where a build keeps pages that are more than the client's empty one, in its folder: no address leads to files that begin with a dot.
 */

/** The prerendered landing page. */
export function landingPageFile(language: PageLanguage): string {
  return `.pages/${language}.html`;
}

/** The page of the public demonstration, which names all that it is made of. */
export const demoPageFile = '.pages/demo.html';
