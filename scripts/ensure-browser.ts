import { installDebianPackage } from './debian-package.ts';
import { findBrowser } from './find-browser.ts';

/** Returns null when there is a Chromium to test with, installing Debian's as root when there is none; else one line that says what to install. */
export async function ensureBrowser(): Promise<string | null> {
  if (findBrowser() !== null) return null;
  console.log('No Chromium found: looking for the one of Debian.');
  installDebianPackage('chromium');
  if (findBrowser() !== null) return null;
  return 'The browser tests need Chromium: install chromium or Google Chrome (Debian: sudo apt-get install chromium), or name one with CHROMIUM=/path/to/it.';
}
