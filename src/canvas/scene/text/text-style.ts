/** The styles of text on a card: weight and size in px (of the world at full detail, of the screen below it). */
export const textStyles = {
  title: { weight: 600, size: 16, tracking: -0.16, tabular: false },
  model: { weight: 400, size: 12, tracking: 0, tabular: false },
  line: { weight: 400, size: 13, tracking: 0, tabular: false },
  state: { weight: 500, size: 12, tracking: 0, tabular: false },
  figure: { weight: 400, size: 12, tracking: 0, tabular: true },
  mark: { weight: 500, size: 11, tracking: 0, tabular: false },
  titleCompact: { weight: 600, size: 12, tracking: -0.06, tabular: false },
  titleSmall: { weight: 600, size: 11, tracking: -0.06, tabular: false },
} as const;
export type TextStyle = keyof typeof textStyles;

/**
 * The style that a style's text is measured with, and the factor for the width. The typeface has one design for all sizes, so the styles
 * of one weight share their measures.
 */
export function measuredAs(style: TextStyle): { style: TextStyle; factor: number } {
  return sources[style];
}

const sources = Object.fromEntries((Object.keys(textStyles) as TextStyle[]).map((name) => [name, sourceOf(name)])) as Record<
  TextStyle,
  { style: TextStyle; factor: number }
>;

function sourceOf(name: TextStyle): { style: TextStyle; factor: number } {
  const { weight, size } = textStyles[name];
  const alike = (Object.keys(textStyles) as TextStyle[]).filter((other) => textStyles[other].weight === weight);
  const style = alike.reduce((largest, other) => (textStyles[other].size > textStyles[largest].size ? other : largest), name);
  return { style, factor: size / textStyles[style].size };
}

const textFamily = "'Inter Variable', system-ui, sans-serif";

/** The style as the shorthand that a 2D canvas takes. */
export function cssFont(style: TextStyle): string {
  const { weight, size } = textStyles[style];
  return `${weight} ${size}px ${textFamily}`;
}
