const storageKey = 'tabId';

/** A name for this tab that outlives reloads. Where session storage is denied, a new one each time. */
export function tabId(): string {
  try {
    const known = sessionStorage.getItem(storageKey);
    if (known) return known;
    const made = crypto.randomUUID();
    sessionStorage.setItem(storageKey, made);
    return made;
  } catch {
    return crypto.randomUUID();
  }
}
