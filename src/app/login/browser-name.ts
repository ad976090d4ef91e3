const browsers: readonly [name: string, pattern: RegExp, later?: string][] = [
  ['Edge', /Edg\/(\d+)/],
  ['Opera', /OPR\/(\d+)/],
  ['Yandex Browser', /YaBrowser\/(\d+)/],
  ['Firefox', /Firefox\/(\d+)/],
  ['Chrome', /(?:Chrome|CriOS)\/(\d+)/],
  ['Safari', /Version\/(\d+)/, 'Safari/'],
];

const platforms: readonly [name: string, pattern: RegExp][] = [
  ['Windows', /Windows/],
  ['iOS', /iPhone|iPad/],
  ['macOS', /Macintosh/],
  ['Android', /Android/],
  ['Linux', /Linux/],
];

/** `Chrome 141` from a user agent's words, or null for one nobody knows. */
export function browserName(userAgent: string): string | null {
  for (const [name, pattern, later = ''] of browsers) {
    const found = pattern.exec(userAgent);
    const version = found?.[1];
    if (version && userAgent.includes(later, found.index)) return `${name} ${version}`;
  }
  return null;
}

export function platformName(userAgent: string): string | null {
  return platforms.find(([, pattern]) => pattern.test(userAgent))?.[0] ?? null;
}
