import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Hue, hues } from '../../../src/model/agents/roles.ts';
import { forcedPalette, isDark, type Palette, palette, type ThemeName } from '../../../src/ui/palette.ts';
import { contrast } from '../../support/canvas/contrast.ts';

const read = (file: string) => readFileSync(join(import.meta.dirname, '../../../src/ui', file), 'utf8');
const css = read('tokens.css');
const moreCss = read('more-contrast.css');
const plain = [
  'page',
  'surface',
  'raised',
  'floating',
  'canvas',
  'gridDot',
  'line',
  'controlBorder',
  'text',
  'muted',
  'accent',
  'onAccent',
  'success',
  'warning',
  'danger',
  'link',
] as const satisfies readonly (keyof Palette)[];
const themes: readonly ThemeName[] = ['light', 'dark'];

describe.each(themes)('%s', (theme) => {
  test.each(plain)('W3.03 the canvas draws %s as the page does', (name) => {
    expect(hex(palette(theme)[name])).toBe(token(kebab(name), theme));
  });

  test.each(hues)('W3.03 the canvas draws the hue %s as the page does', (hue) => {
    expect(hex(palette(theme).hue[hue])).toBe(token(`hue-${hue}`, theme));
  });

  test.each(['page', 'surface', 'raised', 'floating', 'canvas'] as const)(
    'W3.03 text, muted text and accents are readable on %s',
    (ground) => {
      const colours = palette(theme);
      for (const ink of ['text', 'muted', 'accent', 'success', 'warning', 'danger'] as const) {
        expect([ink, contrast(colours[ink], colours[ground]) >= 4.5]).toEqual([ink, true]);
      }
    },
  );

  test('W3.03 a hue stands out from the card it is on', () => {
    const colours = palette(theme);
    const faint = hues.filter((hue: Hue) => contrast(colours.hue[hue], colours.raised) < 3);
    expect(faint).toEqual([]);
  });

  test('W3.03 words on the accent are readable', () => {
    expect(contrast(palette(theme).onAccent, palette(theme).accent)).toBeGreaterThanOrEqual(4.5);
  });
});

describe.each(themes)('%s with more contrast', (theme) => {
  const usual = palette(theme);
  const colours = palette(theme, 'more');

  test('D9.01 lines, borders and quiet words are those of the page, and all else stays', () => {
    const changed = plain.filter((name) => colours[name] !== usual[name]);
    expect(changed).toEqual(['line', 'controlBorder', 'muted', 'link']);
    for (const name of changed) expect([name, hex(colours[name])]).toEqual([name, token(kebab(name), theme, moreCss)]);
  });

  test('D9.01 cards and links stand out from the canvas, and quiet words are read without effort', () => {
    for (const ground of ['raised', 'canvas'] as const) {
      expect(contrast(colours.line, colours[ground])).toBeGreaterThanOrEqual(3);
      expect(contrast(colours.link, colours[ground])).toBeGreaterThanOrEqual(4.5);
      for (const ink of ['muted', 'controlBorder'] as const) expect(contrast(colours[ink], colours[ground])).toBeGreaterThanOrEqual(7);
    }
  });
});

test('D9.01 in forced colours all grounds are the system’s canvas, and what is drawn on them has the colour of its text', () => {
  const system = { canvas: 0x000000, text: 0xffffff, grey: 0x3ff23f, highlight: 0x1aebff, highlightText: 0x000001 };
  const forced = forcedPalette(system);
  const { hue, tileShare, accent, onAccent, gridDot, ...others } = forced;
  expect({ accent, onAccent, gridDot, tileShare }).toEqual({
    ...{ accent: system.highlight, onAccent: system.highlightText, gridDot: system.grey, tileShare: 0 },
  });
  const { page, surface, raised, floating, canvas, ...inks } = others;
  expect(new Set([page, surface, raised, floating, canvas])).toEqual(new Set([system.canvas]));
  expect(new Set(Object.values(inks))).toEqual(new Set([system.text]));
  expect(Object.keys(hue).toSorted()).toEqual([...hues].toSorted());
  expect(new Set(Object.values(hue))).toEqual(new Set([system.text]));
  expect(isDark(forced)).toBe(true);
  expect(isDark(forcedPalette({ ...system, canvas: 0xffffff, text: 0x000000 }))).toBe(false);
  expect(themes.map((theme) => isDark(palette(theme)))).toEqual([false, true]);
});

function token(name: string, theme: ThemeName, sheet = css): string {
  const found = new RegExp(`--${name}: light-dark\\((#[0-9a-f]{6}), (#[0-9a-f]{6})\\);`).exec(sheet);
  if (!found) throw new Error(`tokens.css has no --${name}`);
  return (theme === 'light' ? found[1] : found[2]) ?? '';
}

function kebab(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

function hex(colour: number): string {
  return `#${colour.toString(16).padStart(6, '0')}`;
}
