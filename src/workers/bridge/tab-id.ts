import { v7 } from 'uuid';

const storageKey = 'tabId';

/** Stores the tab's name for its next page. */
export function storeTabId(name: string): void {
  try {
    sessionStorage.setItem(storageKey, name);
  } catch {
    // Session storage is denied: each page has a new name.
  }
}

/** This tab's name, which survives reloads. Where session storage is denied, a new one each time. */
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
