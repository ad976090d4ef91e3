import { v7 } from 'uuid';

const storageKey = 'tabId';

/** A name for this tab that outlives reloads. Where session storage is denied, a new one each time. */
export function tabId(): string {
  try {
    const known = sessionStorage.getItem(storageKey);
    if (known) return known;
    const made = v7();
    sessionStorage.setItem(storageKey, made);
    return made;
  } catch {
    return v7();
  }
}
