/** The contrast of two colours (0xrrggbb) by WCAG, 1 to 21. */
export function contrast(a: number, b: number): number {
  const [dark, light] = [luminance(a), luminance(b)].toSorted((first, second) => first - second);
  return ((light ?? 0) + 0.05) / ((dark ?? 0) + 0.05);
}

function luminance(colour: number): number {
  const [red, green, blue] = [16, 8, 0].map((shift) => {
    const part = ((colour >> shift) & 0xff) / 255;
    return part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * (red ?? 0) + 0.7152 * (green ?? 0) + 0.0722 * (blue ?? 0);
}
