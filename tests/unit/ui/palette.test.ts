import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Hue, hues } from '../../../src/model/agents/roles.ts';
import { type Palette, palette, type ThemeName } from '../../../src/ui/palette.ts';
import { contrast } from '../../support/canvas/contrast.ts';

const css = readFileSync(join(import.meta.dirname, '../../../src/ui/tokens.css'), 'utf8');
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

function token(name: string, theme: ThemeName): string {
  const found = new RegExp(`--${name}: light-dark\\((#[0-9a-f]{6}), (#[0-9a-f]{6})\\);`).exec(css);
  if (!found) throw new Error(`tokens.css has no --${name}`);
  return (theme === 'light' ? found[1] : found[2]) ?? '';
}

function kebab(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

function hex(colour: number): string {
  return `#${colour.toString(16).padStart(6, '0')}`;
}
