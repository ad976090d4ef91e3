import type { Thought } from '../../../../../contract/thought.ts';
import { thoughtsPerPage } from '../../../../model/reader.ts';

/** The loaded thoughts of a project without gaps, newest first; `whole` when there are no older ones. */
export type ThoughtPages = { thoughts: readonly Thought[]; whole: boolean };

export const noThoughts: ThoughtPages = { thoughts: [], whole: false };

/** Merges the newest page. When more thoughts have arrived than a page holds, the older ones are dropped. */
export function withNewest({ thoughts, whole }: ThoughtPages, page: readonly Thought[]): ThoughtPages {
  const ids = new Set(page.map(({ id }) => id));
  const before = thoughts.filter(({ id }) => !ids.has(id));
  const meets = before.length < thoughts.length;
  if (meets) return { thoughts: [...page, ...before], whole };
  return { thoughts: page, whole: page.length < thoughtsPerPage };
}

/** Adds the next older page, without thoughts that have moved into it meanwhile. */
export function withOlder({ thoughts }: ThoughtPages, page: readonly Thought[]): ThoughtPages {
  const ids = new Set(thoughts.map(({ id }) => id));
  return { thoughts: [...thoughts, ...page.filter(({ id }) => !ids.has(id))], whole: page.length < thoughtsPerPage };
}
