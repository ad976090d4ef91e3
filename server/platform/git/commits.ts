import type { CommitPerson, NewCommit } from './git-messages.ts';
import type { ObjectStore } from './packs/object-store.ts';

/** What a commit says. */
type Commit = { tree: string; parents: string[]; message: string };

/** The author of the commits of runs that are no person's. `.invalid` is a name that no host has (RFC 2606). */
export const artel: CommitPerson = { name: 'Artel', email: 'artel@artel.invalid' };

/** Reads a commit; null for one that was not fetched. */
export function readCommit(objects: ObjectStore, oid: string): Commit | null {
  const text = objects.read(oid, 'commit')?.toString('utf8');
  const end = text?.indexOf('\n\n') ?? -1;
  if (text === undefined || end < 0) return null;
  const head = text.slice(0, end).split('\n');
  const named = (field: string) => head.flatMap((line) => (line.startsWith(`${field} `) ? [line.slice(field.length + 1)] : []));
  return { tree: named('tree')[0] ?? '', parents: named('parent'), message: text.slice(end + 2) };
}

type MadeCommit = { tree: string; parents: readonly string[]; about: Pick<NewCommit, 'message' | 'seconds' | 'author'> };

/** Makes a commit, and returns its name. Who it is by has committed it. */
export function writeCommit(objects: ObjectStore, { tree, parents, about }: MadeCommit): string {
  const { name, email } = about.author ?? artel;
  const person = `${name} <${email}> ${about.seconds} +0000`;
  const head = [`tree ${tree}`, ...parents.map((parent) => `parent ${parent}`), `author ${person}`, `committer ${person}`];
  const message = about.message.replaceAll('\r', '').replace(/^\n+/, '').trimEnd();
  return objects.write('commit', Buffer.from(`${head.join('\n')}\n\n${message}\n`));
}
