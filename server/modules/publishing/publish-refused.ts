import type { PublishRefusal } from '../../../contract/executions/publishing.ts';
import { ApiError, type ApiErrorOptions } from '../../http/api-error.ts';
import type { Language } from '../../http/call.ts';
import { translate } from '../../http/language.ts';
import { GitFailed } from '../../platform/git/git-failed.ts';
import type { FileConflict } from '../../platform/git/git-messages.ts';

/** A run that is not published, with the reason. `errors` says of each file what conflicts. */
export class PublishRefused extends ApiError {
  constructor(
    reason: PublishRefusal,
    details: Record<string, unknown> = {},
    { errors, cause }: Pick<ApiErrorOptions, 'errors' | 'cause'> = {},
  ) {
    super(reason === 'branch_moved' || reason === 'base_moved' ? 'publish_conflict' : 'publish_refused', {
      details: { reason, ...details },
      params: wordsOf(details),
      cause,
      ...(errors && { errors }),
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
export function toRefusal(error: unknown, language: Language): unknown {
  if (!(error instanceof GitFailed)) return error;
  const { reason, details } = error;
  if (reason === 'busy') return new ApiError('busy', { retryAfterSeconds: 2, cause: error });
  // Only a fetch has these two limits.
  const shown = reason === 'file_limit' || reason === 'paths' ? 'too_large' : reason;
  return new PublishRefused(shown, details, { errors: conflictsOf(details.conflicts ?? [], language), cause: error });
}

/** Says of each file what conflicts: the first lines with both versions, or why it could not be merged. */
function conflictsOf(conflicts: readonly FileConflict[], language: Language): { path: string; message: string }[] {
  return conflicts.flatMap(({ path, reason, lines, names }) =>
    reason === 'lines' && lines.length > 0
      ? lines.map(({ line, ours, theirs }) => ({ path, message: translate(language, 'publish.conflict_lines', { line, ours, theirs }) }))
      : [{ path, message: translate(language, `publish.conflict_${reason}`, names) }],
  );
}
