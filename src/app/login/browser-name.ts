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

/** Returns a browser's name and version from its user agent, such as `Chrome 141`; null for an unknown one. */
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
