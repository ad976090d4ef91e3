/** Fills `{name}` from `values`, once: what comes out of a value is never filled again. */
export function fill(template: string, values: Record<string, string>): string {
  return template.replace(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole);
}
