import type { Sent } from '../probes/count-statements.ts';
import { isOwnLook } from './own-looks.ts';

/** How often each statement was sent for a piece of work, by its name, and how often the server waited for PostgreSQL. */
export type NamedStatements = { statements: Record<string, number>; roundTrips: number };

/** Names what was sent for so many pieces of work, without the looks that come by the server's own clocks. */
export function nameStatements(sent: readonly Sent[], pieces: number): NamedStatements {
  const counts = new Map<string, number>();
  let roundTrips = 0;
  for (const one of sent) {
    const names = namesOf(one);
    for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
    if (names.length > 0) roundTrips += one.roundTrips;
  }
  return { statements: Object.fromEntries([...counts].map(([name, count]) => [name, count / pieces])), roundTrips: roundTrips / pieces };
}

/** A transaction has one name, of all its statements. Statements of a batch have one each: what is in one batch depends on their times. */
function namesOf({ texts }: Sent): string[] {
  if (!/^\s*begin/i.test(texts[0] ?? '')) return texts.filter((text) => !isOwnLook(text)).map(nameStatement);
  if (texts.some(isOwnLook)) return [];
  const names = texts.filter((text) => !/^\s*(?:begin|commit)\b/i.test(text)).map(nameStatement);
  return [`begin; ${names.join('; ')}`];
}

/** Names a statement by its tables: `writes executions, execution_events`, or what it reads where it writes nothing. */
function nameStatement(text: string): string {
  const aliases = new Set([...text.matchAll(/\b(\w+)\s+AS\s+(?:NOT\s+)?(?:MATERIALIZED\s+)?\(/gi)].map(([, name]) => name));
  const tables = (pattern: RegExp) => {
    const names = [...text.matchAll(pattern)].map(([, name = '']) => name).filter((name) => !aliases.has(name));
    return [...new Set(names)].toSorted().join(', ');
  };
  const written = tables(/(?:\binsert into|(?<!\b(?:for|key|do) )\bupdate|\bdelete from)\s+"?((?:artel_queue\.)?[a-z_0-9]+)\b/gi);
  const read = tables(/\b(?:from|join)\s+"?((?:artel_queue\.)?[a-z_0-9]+)\b(?!\s*\()"?/gi);
  if (written !== '') return `writes ${written}`;
  if (/pg_advisory_xact_lock/.test(text)) return 'locks';
  return read === '' ? text.replace(/\s+/g, ' ').trim().slice(0, 40) : `reads ${read}`;
}
