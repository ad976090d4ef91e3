/** The browser's local storage; null where it is refused, which shows by an error on reading it. */
export function browserStorage(): Storage | null {
  try {
    return localStorage;
  } catch {
    return null;
  }
}
