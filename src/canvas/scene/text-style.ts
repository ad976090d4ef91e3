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

export const textFamily = "'Inter Variable', system-ui, sans-serif";

/** The style as the shorthand that a 2D canvas takes. */
export function cssFont(style: TextStyle): string {
  const { weight, size } = textStyles[style];
  return `${weight} ${size}px ${textFamily}`;
}
