import type { GitFailure, GitFailureDetails } from './git-messages.ts';

/** A repository that could not be read or written. */
export class GitFailed extends Error {
  readonly reason: GitFailure;
  readonly details: GitFailureDetails;

  constructor(reason: GitFailure, { cause, details = {} }: { cause?: unknown; details?: GitFailureDetails } = {}) {
    super(`The work in the repository failed: ${reason}.`, { cause });
    this.name = 'GitFailed';
    this.reason = reason;
    this.details = details;
  }
}
