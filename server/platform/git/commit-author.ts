import type { CommitPerson, NewCommit } from './git-messages.ts';

/** The author of the commits of runs that are no person's. `.invalid` is a name that no host has (RFC 2606). */
export const artel: CommitPerson = { name: 'Artel', email: 'artel@artel.invalid' };

/** Returns author and committer of a commit. */
export function authorOf({ seconds, author }: Pick<NewCommit, 'seconds' | 'author'>) {
  return { ...(author ?? artel), timestamp: seconds, timezoneOffset: 0 };
}
