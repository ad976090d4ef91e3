import type { Thought } from '../../../../../contract/thought.ts';
import { thoughtsAPage } from '../../../../model/reader.ts';

/** What has been read of a project's thoughts, without a gap, newest first; `whole` once there are no older ones. */
export type ThoughtPages = { thoughts: readonly Thought[]; whole: boolean };

export const noThoughts: ThoughtPages = { thoughts: [], whole: false };

/** Lays the newest page over what was read before. Where more has come than a page holds, what was read before is let go. */
export function withNewest({ thoughts, whole }: ThoughtPages, page: readonly Thought[]): ThoughtPages {
  const ids = new Set(page.map(({ id }) => id));
  const before = thoughts.filter(({ id }) => !ids.has(id));
  const meets = before.length < thoughts.length;
  if (meets) return { thoughts: [...page, ...before], whole };
  return { thoughts: page, whole: page.length < thoughtsAPage };
}

/** Adds the page after those that were read; what has moved on to it since is passed over. */
export function withOlder({ thoughts }: ThoughtPages, page: readonly Thought[]): ThoughtPages {
  const ids = new Set(thoughts.map(({ id }) => id));
  return { thoughts: [...thoughts, ...page.filter(({ id }) => !ids.has(id))], whole: page.length < thoughtsAPage };
}
