import { defineConfig } from 'playwright/test';
import { findTestBrowser, pageBrowserArguments } from './scripts/find-browser.ts';
import { filesAtOnce, nightlyTag, withoutCanvas } from './tests/suites.ts';
import { amountOf } from './tests/support/amounts.ts';

const executablePath = findTestBrowser();
if (executablePath === null)
  throw new Error('No Chromium found: install one (Debian: apt-get install chromium) or name it with CHROMIUM=/path');

/** Each takes about a minute, mostly waiting. They begin first: the last of them would otherwise run alone at the end. */
const longFiles = ['**/console-tabs.spec.ts', '**/workspace-faults.spec.ts'];
const listedFiles = withoutCanvas.map((file) => `**/${file}`);

/** `baseURL` serves the built client without an API; tests that need the server start their own. */
export default defineConfig({
  testDir: 'tests/e2e',
  globalSetup: './tests/support/browser/shared-services.ts',
  outputDir: 'test-results',
  projects: [
    { name: 'long', testMatch: longFiles },
    {
      name: 'listed',
      testMatch: listedFiles,
      use: { launchOptions: { executablePath, args: [...pageBrowserArguments, '--disable-3d-apis'] } },
    },
    { name: 'short', testIgnore: [...longFiles, ...listedFiles] },
  ],
  grepInvert: amountOf<RegExp | RegExp[]>({ some: new RegExp(nightlyTag), whole: [] }),
  fullyParallel: false,
  // A page and its test wait for each other for a quarter of their time.
  workers: filesAtOnce,
  retries: 0,
  forbidOnly: true,
  timeout: 240_000,
  // Letters may be smoothed otherwise on another machine: a pixel counts only where it is clearly of another colour, and a hundredth of
  // them may be. What is moved, missing or of the wrong theme is several times that.
  expect: { timeout: 30_000, toHaveScreenshot: { threshold: 0.3, maxDiffPixelRatio: 0.01, scale: 'css' } },
  snapshotPathTemplate: '{testDir}/pictures/{arg}{ext}',
  use: {
    baseURL: process.env.CLIENT_URL,
    browserName: 'chromium',
    viewport: { width: 1440, height: 900 },
    // A quarter of the pixels, and the same CSS pixels: the processor draws each pixel. Tests that measure pixels set 1.
    deviceScaleFactor: 0.5,
    locale: 'ru-RU',
    colorScheme: 'light',
    actionTimeout: 30_000,
    launchOptions: { executablePath, args: pageBrowserArguments },
  },
  webServer: {
    command: `"${process.execPath}" tests/support/serve-built-client.ts`,
    wait: { stdout: /Serving the client on (?<client_url>\S+)/ },
    timeout: 120_000,
    gracefulShutdown: { signal: 'SIGTERM', timeout: 2_000 },
  },
});
