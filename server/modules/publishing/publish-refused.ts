import type { PublishRefusal } from '../../../contract/executions/publishing.ts';
import { ApiError } from '../../http/api-error.ts';
import { GitFailed } from '../../platform/git/git-failed.ts';

/** A run that is not published, with the reason. */
export class PublishRefused extends ApiError {
  constructor(reason: PublishRefusal, details: Record<string, unknown> = {}, cause?: unknown) {
    super(reason === 'branch_moved' || reason === 'base_moved' ? 'publish_conflict' : 'publish_refused', {
      details: { reason, ...details },
      params: wordsOf(details),
      cause,
    });
  }
}

const shownFiles = 10;

function wordsOf({ text = '', ours, theirs, files }: Record<string, unknown>): Record<string, string> {
  const paths = Array.isArray(files) ? files.map(String) : [];
  const more = paths.length > shownFiles ? '…' : '';
  return {
    text: String(text),
    ours: String(ours ?? '—').slice(0, 12),
    theirs: String(theirs ?? '—').slice(0, 12),
    files: paths.slice(0, shownFiles).join(', ') + more,
  };
}

/** Returns the refusal for a failure of the work in the repository; other errors as they are. */
export function toRefusal(error: unknown): unknown {
  if (!(error instanceof GitFailed)) return error;
  const { reason, details } = error;
  if (reason === 'busy') return new ApiError('busy', { retryAfterSeconds: 2, cause: error });
  // Only a fetch has these two limits.
  return new PublishRefused(reason === 'file_limit' || reason === 'paths' ? 'too_large' : reason, details, error);
}
