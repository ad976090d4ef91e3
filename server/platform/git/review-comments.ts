import { withEscapedHidden } from '../../../rules/text/hidden-characters.ts';
import type { Forge, ForgeComment, ForgePlace } from './forges/forge.ts';

/** A comment of a person on a pull request; without a path it is on the request as a whole. */
export type ReviewComment = { author: string; path: string | null; line: number | null; text: string };

const maxComments = 50;
const maxTextLength = 2_000;
const maxTotalLength = 30_000;

/**
 * Returns the open comments of people on a pull request, those on lines first, as far as their number and lengths go. They are read as triggers read them:
 * those of bots and on resolved lines are left out. Throws `RequestFailed`.
 */
export async function readReviewComments(forge: Pick<Forge, 'comments'>, place: ForgePlace, number: number): Promise<ReviewComment[]> {
  const said = await forge.comments(place, { number, isRequest: true });
  return bounded(said.filter(({ author }) => !author.isBot).flatMap(wordsOf));
}

function wordsOf({ author: { login }, text, lines }: ForgeComment): ReviewComment[] {
  const whole = { author: login, path: null, line: null, text };
  return [...lines.map((line) => ({ author: login, ...line })), whole].filter((one) => one.text.trim() !== '');
}

function bounded(comments: readonly ReviewComment[]): ReviewComment[] {
  const onLinesFirst = comments.slice(-maxComments).toSorted((one, other) => Number(one.path === null) - Number(other.path === null));
  let left = maxTotalLength;
  return onLinesFirst.flatMap(({ text, author, path, line }) => {
    const short = withEscapedHidden(text.trim()).slice(0, Math.min(maxTextLength, left));
    left -= short.length;
    return short === '' ? [] : [{ author, path, line, text: short }];
  });
}
