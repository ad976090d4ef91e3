import { installDebianPackage } from './debian-package.ts';
import { findTestBrowser } from './find-browser.ts';

/**
 * Returns null if a Chromium for the tests is present; installs Debian's as root if there is none. Otherwise returns one line with what to
 * install.
 */
export async function ensureBrowser(): Promise<string | null> {
  if (findTestBrowser() !== null) return null;
  console.log('No Chromium found: looking for the one of Debian.');
  installDebianPackage('chromium-headless-shell');
  if (findTestBrowser() === null) installDebianPackage('chromium');
  if (findTestBrowser() !== null) return null;
  return 'The browser tests need Chromium: install chromium or Google Chrome (Debian: sudo apt-get install chromium), or name one with CHROMIUM=/path/to/it.';
}

if (import.meta.main) {
  const missing = await ensureBrowser();
  if (missing !== null) {
    console.error(missing);
    process.exitCode = 1;
  }
}
