import { defineConfig } from 'playwright/test';
import { browserArguments, findBrowser } from './scripts/find-browser.ts';

const executablePath = findBrowser();
if (executablePath === null)
  throw new Error('No Chromium found: install one (Debian: apt-get install chromium) or name it with CHROMIUM=/path');

/**
 * Features of Chromium that are switched off. The first two have each window start a renderer for the popup of its address bar, which
 * nobody types into: as much work as a whole small page. The others are those that Playwright switches off, whose own list this one replaces.
 */
const disabledFeatures = [
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsUpgrades',
  'HttpsFirstBalancedModeAutoEnable',
  'MediaRouter',
  'PaintHolding',
  'ThirdPartyStoragePartitioning',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'OptimizationHints',
  'NetworkTimeServiceQuerying',
  'AimEnabled',
  'PreconnectToSearch',
];

/** `baseURL` serves the built client without an API; tests that need the server start their own. */
export default defineConfig({
  testDir: 'tests/e2e',
  outputDir: 'test-results',
  fullyParallel: false,
  workers: 2,
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
    locale: 'ru-RU',
    colorScheme: 'light',
    actionTimeout: 30_000,
    // The page is put together without WebGL, which draws in software here and would take most of the time; the canvas draws with it all the same.
    launchOptions: {
      executablePath,
      args: [...browserArguments, '--disable-gpu-compositing', `--disable-features=${disabledFeatures.join(',')}`],
    },
  },
  webServer: {
    command: `"${process.execPath}" tests/support/serve-built-client.ts`,
    wait: { stdout: /Serving the client on (?<client_url>\S+)/ },
    timeout: 120_000,
    gracefulShutdown: { signal: 'SIGTERM', timeout: 2_000 },
  },
});
