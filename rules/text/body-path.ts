/**
 * Returns the names of a path into a body: `namesOf('issue.labels.0.name')` is `['issue', 'labels', '0', 'name']`. A backslash makes the character after it a
 * part of a name: `namesOf('fields.System\\.State')` is `['fields', 'System.State']`.
 */
export function namesOf(path: string): string[] {
  const parts = path.match(/(?:\\.|[^.\\])+/gs) ?? [];
  return parts.map((part) => part.replace(/\\(.)/gs, '$1'));
}

/** Returns the path of names, which `namesOf` reads. */
export function pathOfNames(names: readonly string[]): string {
  return names.map((name) => name.replace(/[.$\\]/g, '\\$&')).join('.');
}
