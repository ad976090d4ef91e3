import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { chromium } from 'playwright';

const withoutWindows = 'chromium-headless-shell';
const systemNames = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome', 'chrome', 'microsoft-edge', withoutWindows];
const macPaths = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge',
];

/**
 * Features of Chromium that are switched off. With the first two, each window starts a renderer for the popup of its address bar. No test
 * uses it, and it costs as much as a small page. The others are those that Playwright switches off; this list replaces its own.
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

/** Arguments of every Chromium: WebGL in software, and no calls except those of the page under test. */
export const browserArguments = [
  '--use-angle=swiftshader',
  '--enable-unsafe-swiftshader',
  '--no-sandbox',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
  '--disable-quic',
];

/**
 * Additional arguments for tests of a whole page: the browser composites without WebGL, as it does on a machine without a graphics
 * card. Compositing by software WebGL would take most of the time. The canvas itself still uses WebGL. A Chromium without windows places
 * letters as one with windows does when it does not fit them to pixels.
 */
export const pageBrowserArguments = [
  ...browserArguments,
  '--font-render-hinting=none',
  '--disable-gpu-compositing',
  `--disable-features=${disabledFeatures.join(',')}`,
];

/** Returns the path of a Chromium: the one in CHROMIUM, Playwright's own, or one of the system's; null if there is none. */
export function findBrowser(): string | null {
  return firstExecutable([process.env.CHROMIUM, playwrightsOwn(), ...onPath(systemNames), ...macPaths]);
}

/**
 * Returns the browser of the tests. It is the Chromium without windows where the system has it: it takes a sixth less of the processor for
 * the same pages. Else it is any other Chromium.
 */
export function findTestBrowser(): string | null {
  return firstExecutable([process.env.CHROMIUM, ...onPath([withoutWindows])]) ?? findBrowser();
}

function onPath(names: readonly string[]): string[] {
  return (process.env.PATH ?? '').split(delimiter).flatMap((folder) => names.map((name) => join(folder, name)));
}

function firstExecutable(candidates: readonly (string | undefined)[]): string | null {
  return candidates.find((path) => path !== undefined && isExecutable(path)) ?? null;
}

function playwrightsOwn(): string | undefined {
  try {
    return chromium.executablePath();
  } catch {
    return undefined; // Playwright knows no browser for this system.
  }
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
