import type { InputRefusal } from '../../../contract/input.ts';
import { ApiError } from '../../http/api-error.ts';
import { shownPath } from '../files/index.ts';

/** A file, an archive or a repository that is not taken, with the reason. `path` is the name as it was found. */
export class InputRefused extends ApiError {
  readonly reason: InputRefusal;

  /** `path`: of the file. `params`: values for the placeholders of the reason's sentence. */
  constructor(reason: InputRefusal, path?: string, cause?: unknown, params: Record<string, string> = {}) {
    super('input_refused', { details: { reason, ...(path !== undefined && { path: shownPath(path) }) }, params, cause });
    this.reason = reason;
  }
}
