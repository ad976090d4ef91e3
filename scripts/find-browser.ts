import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { chromium } from 'playwright';

const systemNames = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome', 'chrome', 'microsoft-edge'];
const macPaths = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge',
];

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

/** What Chromium is started with everywhere: WebGL in software, and no calls to anywhere but the page under test. */
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
 * Besides, where a whole page is looked at: it is put together without WebGL, as a browser does by itself on a machine without a graphics
 * card. Drawn with in software, that would take most of the time; the canvas draws with it all the same.
 */
export const pageBrowserArguments = [...browserArguments, '--disable-gpu-compositing', `--disable-features=${disabledFeatures.join(',')}`];

/** Returns the path of a Chromium: the one that CHROMIUM names, Playwright's own, or one of the system's; null when there is none. */
export function findBrowser(): string | null {
  const onPath = (process.env.PATH ?? '').split(delimiter).flatMap((folder) => systemNames.map((name) => join(folder, name)));
  const candidates = [process.env.CHROMIUM, playwrightsOwn(), ...onPath, ...macPaths];
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
