import axe from 'axe-core';
import type { Page } from 'playwright/test';
import { paleTexts } from './text-contrast.ts';

/** The rules of axe whose outcome depends on colours. */
const colourRules = ['color-contrast', 'link-in-text-block'];

/** Windows that were closed and still move away. */
const leavingWindows = ':is([role="dialog"], [role="alertdialog"])[data-closed]:not([hidden])';

/**
 * Returns the violations that axe finds with all its rules, best practices included, in the page or in the selected part. Where
 * axe cannot decide on a contrast, the pixels behind the text decide. Waits for transitions, as half-faded text has a low contrast.
 */
export async function faults(page: Page, part?: string): Promise<string[]> {
  return violationsOf(page, { part });
}

/** Does the same in both themes, and leaves the page in the theme that it had. A theme changes only colours, so the other rules run once. */
export async function faultsInBothThemes(page: Page, part?: string): Promise<string[]> {
  const isDark = await page.evaluate(() => matchMedia('(prefers-color-scheme: dark)').matches);
  const [own, other] = isDark ? (['dark', 'light'] as const) : (['light', 'dark'] as const);
  const found = await violationsOf(page, { part });
  await showTheme(page, other);
  const inOther = await violationsOf(page, { part, rules: colourRules });
  await showTheme(page, own);
  return [...found, ...inOther.map((violation) => `${other}: ${violation}`)];
}

/** A page without a script follows the browser's setting by itself. */
async function showTheme(page: Page, colorScheme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme });
  await page.waitForFunction((theme) => (document.documentElement.dataset.theme ?? theme) === theme, colorScheme);
}

type Analysis = { part: string | undefined; rules?: string[] };

async function violationsOf(page: Page, analysis: Analysis): Promise<string[]> {
  // A window that closes is still in the document, and its focus guards count as faults once its content is away.
  await page.waitForFunction((leaving) => !document.querySelector(leaving), leavingWindows);
  // Within the page: another page for each analysis would cost as much as the analysis.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source);
  const { violations, undecided } = await page.evaluate(analyze, analysis);
  const pale = await paleTexts(page, undecided);
  return [...violations, ...pale.map((text) => `color-contrast on pixels: ${text}`)];
}

/** Runs in the page. Returns the violations, and the selectors of texts on whose contrast axe cannot decide. */
async function analyze({ part, rules }: Analysis): Promise<{ violations: string[]; undecided: string[] }> {
  // Animations of the scroll position have no end in time.
  const timed = document.getAnimations().filter((animation) => animation.timeline === document.timeline);
  const passing = timed.filter((animation) => animation.effect?.getComputedTiming().endTime !== Infinity);
  await Promise.allSettled(passing.map((animation) => animation.finished));
  const { axe: analyzer } = window as unknown as { axe: typeof axe };
  // By itself axe leaves out targets under 24 CSS px without room around them: no window has one. WCAG 2.5.8
  const choice = rules ? { runOnly: rules } : { rules: { 'target-size': { enabled: part?.includes('dialog') ?? false } } };
  // A selector for each element without a fault would take most of the time.
  const options: axe.RunOptions = { resultTypes: ['violations', 'incomplete'], ...choice };
  const found = await analyzer.run(part ?? document, options);
  const selectors = (nodes: axe.NodeResult[]) => nodes.map(({ target }) => target.join(' '));
  return {
    violations: found.violations.map(({ id, nodes }) => `${id}: ${selectors(nodes).join(', ')}`),
    undecided: found.incomplete.filter(({ id }) => id === 'color-contrast').flatMap(({ nodes }) => selectors(nodes)),
  };
}
