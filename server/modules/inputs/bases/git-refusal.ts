import { inputRefusals } from '../../../../contract/input.ts';
import { ApiError } from '../../../http/api-error.ts';
import type { GitFailed } from '../../../platform/git/git-failed.ts';
import { shownPath } from '../../files/index.ts';
import { InputRefused } from '../input-refused.ts';

/** What a caller is told of a repository that could not be read. */
export function refusalOf(error: GitFailed): ApiError {
  if (error.reason === 'busy') return new ApiError('busy', { retryAfterSeconds: 2, cause: error });
  const reason = inputRefusals.find((one) => one === `git_${error.reason}`) ?? 'git_failed';
  const { branches = [], limit = 0, text = '' } = error.details;
  const params = { branches: branches.map(shownPath).join(', '), limit: limit.toLocaleString('en'), text };
  return new InputRefused(reason, undefined, error, params);
}
