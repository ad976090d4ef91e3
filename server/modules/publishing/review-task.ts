import { fenced } from '../../../rules/text/fenced.ts';
import type { Language } from '../../http/call.ts';
import { translate } from '../../http/language.ts';
import type { ReviewComment } from '../../platform/git/review-comments.ts';

/** Returns the task of a run that answers a review: its comments in a fence that they cannot close. Empty without comments. */
export function reviewTask(comments: readonly ReviewComment[], branch: string, language: Language): string {
  if (comments.length === 0) return '';
  const quoted = comments.map(({ author, path, line, text }) => `${placeOfComment({ path, line })}${author}:\n${text}`).join('\n\n');
  return `${translate(language, 'publish.review_task', { branch })}\n\n${fenced(quoted)}`;
}

function placeOfComment({ path, line }: Pick<ReviewComment, 'path' | 'line'>): string {
  if (path === null) return '';
  return line === null ? `${path}, ` : `${path}:${line}, `;
}
