import { z } from 'zod';
import { visibleName, withEscapedHidden } from '../../../../rules/text/hidden-characters.ts';
import type { ForgeComment, ForgeLine } from './forge.ts';

/** The longest text of an issue or a comment (UTF-16 units). */
const maxTextLength = 20_000;
const maxNameLength = 500;
/** The newest comments of an issue or a pull request that are returned. */
const maxComments = 200;

/** A text of many lines. Its hidden characters are shown; nothing else of it changes. */
export const longText = z
  .string()
  .nullish()
  .transform((text) =>
    withEscapedHidden((text ?? '').replaceAll('\r\n', '\n'))
      .slice(0, maxTextLength)
      .toWellFormed(),
  );

/** A title, a name or a path: one line. */
export const name = z.string().transform((text) => visibleName(text.replace(/\s+/g, ' ').slice(0, maxNameLength)));

/** A number of the forge, by which it is asked again. */
export const forgeId = z.number().int().min(0).max(Number.MAX_SAFE_INTEGER);

/** Returns an instant in the form of ISO 8601, in UTC. */
export const instant = z
  .string()
  .refine((text) => !Number.isNaN(Date.parse(text)))
  .transform((text) => new Date(text).toISOString());

/** The answer to a new comment. */
export const newComment = z.object({ id: forgeId });

/** The address of a page for a browser; empty for another address. */
export const webAddress = z
  .url({ protocol: /^https?$/ })
  .max(2_000)
  .catch('');

export const lineNumber = z.number().int().min(1).nullish().catch(null);

export function lineOf({
  path,
  line,
  text,
}: {
  path: string | null | undefined;
  line: number | null | undefined;
  text: string;
}): ForgeLine {
  return { path: path ?? null, line: line ?? null, text };
}

/** Returns the newest comments, the oldest first. Those without a word are left out, but for reviews that say by themselves that they ask for nothing. */
export function newest(comments: readonly ForgeComment[]): ForgeComment[] {
  return comments
    .filter(({ asks, text, lines }) => !asks || text.trim() !== '' || lines.length > 0)
    .toSorted((one, other) => Date.parse(one.at) - Date.parse(other.at) || numberIn(one.id) - numberIn(other.id))
    .slice(-maxComments);
}

function numberIn(id: string): number {
  return Number(id.slice(id.indexOf(':') + 1));
}

/** Returns the number of a comment that `addComment` has returned; null for another id. */
export function commentNumber(id: string): string | null {
  return /^comment:(\d{1,20})$/.exec(id)?.[1] ?? null;
}

/** Whether a list of labels has one, in whichever case: forges treat `Artel` and `artel` as one label. */
export function isLabel(name: string, other: string): boolean {
  return name.toLowerCase() === other.toLowerCase();
}
