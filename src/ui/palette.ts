import type { Hue } from '../model/agents/roles.ts';

export type ThemeName = 'light' | 'dark';

/** The colours of `tokens.css` as 0xrrggbb, for drawing without CSS. */
export type Palette = {
  page: number;
  surface: number;
  raised: number;
  floating: number;
  canvas: number;
  gridDot: number;
  line: number;
  controlBorder: number;
  text: number;
  muted: number;
  accent: number;
  onAccent: number;
  success: number;
  warning: number;
  danger: number;
  link: number;
  hue: Record<Hue, number>;
  /** The share of a role's colour in the tile under its icon, 0..1; the remainder is `raised`. */
  tileShare: number;
};

const light: Palette = {
  page: 0xffffff,
  surface: 0xf8fafc,
  raised: 0xffffff,
  floating: 0xffffff,
  canvas: 0xf6f8fb,
  gridDot: 0xd5dce6,
  line: 0xe2e8f0,
  controlBorder: 0x7d8ca3,
  text: 0x0f172a,
  muted: 0x51607a,
  accent: 0x4f46e5,
  onAccent: 0xffffff,
  success: 0x15803d,
  warning: 0xb45309,
  danger: 0xbe123c,
  link: 0xb4c0d0,
  hue: {
    indigo: 0x4f46e5,
    violet: 0x7c3aed,
    sky: 0x0284c7,
    teal: 0x0f766e,
    blue: 0x2563eb,
    cyan: 0x0694a2,
    emerald: 0x059669,
    amber: 0xb45309,
    rose: 0xbe123c,
    pink: 0xbe185d,
    orange: 0xea580c,
    lime: 0x5b8c11,
    slate: 0x475569,
    grey: 0x6b7280,
  },
  tileShare: 0.09,
};

const dark: Palette = {
  page: 0x0f172a,
  surface: 0x162033,
  raised: 0x1e293b,
  floating: 0x182337,
  canvas: 0x0b1220,
  gridDot: 0x243049,
  line: 0x2b3a53,
  controlBorder: 0x64789c,
  text: 0xf1f5f9,
  muted: 0x9fb0c8,
  accent: 0x8b8cf9,
  onAccent: 0x0b1020,
  success: 0x4ade80,
  warning: 0xfbbf24,
  danger: 0xfb7185,
  link: 0x4d628c,
  hue: {
    indigo: 0x818cf8,
    violet: 0xa78bfa,
    sky: 0x38bdf8,
    teal: 0x2dd4bf,
    blue: 0x60a5fa,
    cyan: 0x22d3ee,
    emerald: 0x34d399,
    amber: 0xfbbf24,
    rose: 0xfb7185,
    pink: 0xf472b6,
    orange: 0xfb923c,
    lime: 0xa3e635,
    slate: 0x94a3b8,
    grey: 0x9ca3af,
  },
  tileShare: 0.14,
};

/** Lines, borders and quiet words as `more-contrast.css` has them. */
const moreLight: Palette = { ...light, line: 0x7d8ca3, controlBorder: 0x0f172a, muted: 0x334155, link: 0x51607a };
const moreDark: Palette = { ...dark, line: 0x8fa3c2, controlBorder: 0xf1f5f9, muted: 0xcbd5e1, link: 0x9fb0c8 };

/** Returns the colours of a theme. */
export function palette(theme: ThemeName, contrast: 'usual' | 'more' = 'usual'): Palette {
  if (contrast === 'more') return theme === 'dark' ? moreDark : moreLight;
  return theme === 'dark' ? dark : light;
}

/** The colours of a system that forces its own on each page. */
export type SystemColours = Record<'canvas' | 'text' | 'grey' | 'highlight' | 'highlightText', number>;

/** Returns the palette of these colours: roles and states are told apart by signs and words alone. */
export function forcedPalette({ canvas, text, grey, highlight, highlightText }: SystemColours): Palette {
  return {
    ...{ page: canvas, surface: canvas, raised: canvas, floating: canvas, canvas },
    ...{ gridDot: grey, line: text, controlBorder: text, link: text, text, muted: text },
    ...{ accent: highlight, onAccent: highlightText, success: text, warning: text, danger: text },
    hue: Object.fromEntries(Object.keys(light.hue).map((hue) => [hue, text])) as Palette['hue'],
    tileShare: 0,
  };
}

/** Whether the ground of a palette is darker than its words. */
export function isDark({ canvas, text }: Palette): boolean {
  return brightness(canvas) < brightness(text);
}

function brightness(colour: number): number {
  return 0.3 * (colour >> 16) + 0.59 * ((colour >> 8) & 0xff) + 0.11 * (colour & 0xff);
}
