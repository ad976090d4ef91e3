/** Formats a size in bytes: 412 B, 3.4 kB, 1.2 MB. */
export function formatBytes(bytes: number, language: string): string {
  const [unit, size] =
    bytes < 1_000 ? (['byte', 1] as const) : bytes < 1_000_000 ? (['kilobyte', 1e3] as const) : (['megabyte', 1e6] as const);
  return new Intl.NumberFormat(language, {
    style: 'unit',
    unit,
    unitDisplay: unit === 'byte' ? 'narrow' : 'short',
    maximumFractionDigits: unit === 'byte' ? 0 : 1,
  }).format(bytes / size);
}
