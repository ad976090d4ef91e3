import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { panelInsets } from '../../../src/app/workspace/camera/panel-insets.ts';
import { clampConsoleHeight } from '../../../src/app/workspace/console/clamp-console-height.ts';
import { mobileMaxWidth } from '../../../src/app/workspace/frame/mobile-query.ts';
import { consoleHeightLimits, panelsInLayout } from '../../../src/app/workspace/frame/panels.tsx';
import { matchesQuery } from '../../../src/app/workspace/sidebar/matches-query.ts';
import { describeDay } from '../../../src/app/workspace/time/format-moment.ts';
import { clock } from '../../../src/ui/i18n/duration.ts';

const wide = { demo: false, demoEnded: false, mobile: false, readOnly: false, windowWidth: 1_440, windowHeight: 900 };
const shut = { sidebar: false, history: false, versions: false, console: 'closed' as const, consoleHeight: 400, minimap: true };

test('W2.14 W9.02 the console is 400 px high at first, 45 % of a window that is lower than 890 px, 100 px at least and the window less 40 px at most', () => {
  expect([900, 890, 889, 720, 120].map((height) => clampConsoleHeight(null, height))).toEqual([400, 400, 400, 324, 100]);
  expect([clampConsoleHeight(20, 900), clampConsoleHeight(400, 900), clampConsoleHeight(2_000, 900)]).toEqual([100, 400, 860]);
  expect(clampConsoleHeight(400, 120)).toBe(100);
  expect(consoleHeightLimits.default).toBe(400);
});

test('W2.04 the covered part of the canvas grows with each panel that opens', () => {
  expect(panelInsets(shut, wide)).toEqual({ top: 56, right: 0, bottom: 120, left: 56, corner: { width: 176, height: 203 } });
  expect(panelInsets({ ...shut, sidebar: true, history: true, console: 'open' }, wide)).toEqual({
    top: 56,
    right: 420,
    bottom: 480,
    left: 268,
    corner: { width: 596, height: 631 },
  });
});

test('W2.04 the corner that the zoom control covers rides on the console, and is lower without the map', () => {
  expect(panelInsets({ ...shut, console: 'open' }, wide).corner).toEqual({ width: 176, height: 563 });
  expect(panelInsets({ ...shut, minimap: false }, wide).corner).toEqual({ width: 176, height: 104 });
  expect(panelInsets(shut, { ...wide, windowHeight: 580 }).corner).toEqual({ width: 176, height: 219 });
  expect(panelInsets({ ...shut, minimap: false }, { ...wide, readOnly: true }).corner).toEqual({ width: 176, height: 104 });
});

test('G5.10 W2.04 the canvas keeps clear of a comparison of two runs, in a window that has room for both', () => {
  const comparing = { ...shut, comparesRuns: true };
  expect(panelInsets(comparing, wide)).toMatchObject({ right: 632, corner: { width: 808 } });
  expect(panelInsets(comparing, { ...wide, windowWidth: 1_200 }).right).toBe(0);
});

test('D6.02 the choice of what runs again lies beside the canvas, over a history; on a phone it is a sheet of half the screen', () => {
  const choosing = { ...shut, rerun: true };
  expect(panelInsets(choosing, wide)).toMatchObject({ right: 420, corner: { width: 596 } });
  expect(panelInsets({ ...choosing, history: true }, wide).right).toBe(420);
  expect(panelInsets(choosing, { ...wide, mobile: true })).toMatchObject({ right: 0, bottom: 450 });
});

test('W2.04 on a phone open sheets do not change the area that the canvas keeps clear', () => {
  const phone = { ...wide, mobile: true };
  expect(panelInsets({ ...shut, sidebar: true, history: true, console: 'open' }, phone)).toEqual(panelInsets(shut, phone));
});

test('W2.04 in a window that becomes a phone’s, history and versions become sheets and stay open, unless they would cover a comparison', () => {
  const compare = { kind: 'runs' as const, left: 'a', right: 'b' };
  expect(panelsInLayout({ compare: null, rerun: null }, true)).toEqual({ sidebar: false, console: 'closed' });
  expect(panelsInLayout({ compare, rerun: null }, true)).toMatchObject({ history: false, versions: false });
  expect(panelsInLayout({ compare, rerun: null }, false)).toEqual({ sidebar: true });
});

test('W2.04 W4.16 on a phone the end of the demonstration, which the run control announces, covers more of the canvas', () => {
  const running = { ...wide, windowWidth: 390, mobile: true, readOnly: true, demo: true };
  const bottom = (options: typeof running) => panelInsets(shut, options).bottom;
  expect(bottom({ ...running, demoEnded: true }) - bottom(running)).toBe(76);
});

test('W2.04 W9.01 a window of up to 1024 px is a phone’s, in the script as in the style sheets', () => {
  const folder = join(import.meta.dirname, '../../../src/app/workspace');
  const sheets = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.css'));
  const widths = sheets.flatMap((name) => {
    const css = readFileSync(join(folder, name), 'utf8');
    return [...css.matchAll(/@media \((?:max-width: |width <= )(\d+)px\)/g)].map(([, width]) => Number(width));
  });
  expect([mobileMaxWidth, ...new Set(widths.filter((width) => width > 900))]).toEqual([1_024, 1_024]);
});

test('W2.03 times are shown as minutes and seconds, with hours from one hour on', () => {
  expect([0, 42_900, 252_000, 3_723_000].map(clock)).toEqual(['0:00', '0:42', '4:12', '1:02:03']);
});

test('W2.18 an item says today, yesterday or its date', () => {
  const now = new Date(2026, 10, 20, 12, 0).getTime();
  const at = (day: number, hour: number) => new Date(2026, 10, day, hour, 6).toISOString();
  expect(describeDay(at(20, 9), now, 'ru')).toEqual({ kind: 'today', time: '09:06' });
  expect(describeDay(at(19, 18), now, 'en')).toEqual({ kind: 'yesterday', time: '18:06' });
  expect(describeDay(at(17, 18), now, 'ru')).toEqual({ kind: 'date', text: '17 ноября' });
});

test('W2.09 the sidebar finds what holds every word of the search', () => {
  expect(matchesQuery('Менеджер проекта ProjectManager', 'проект мен')).toBe(true);
  expect(matchesQuery('Менеджер проекта', 'продукт')).toBe(false);
  expect(matchesQuery('Start', '')).toBe(true);
});
