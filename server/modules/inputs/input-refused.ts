import type { InputRefusal } from '../../../contract/input.ts';
import { ApiError } from '../../http/api-error.ts';

/** A file, an archive or a repository that is not taken, with the reason. */
export class InputRefused extends ApiError {
  readonly reason: InputRefusal;

  /** `path`: of the file, as it may be shown. `params`: values for the placeholders of the reason's sentence. */
  constructor(reason: InputRefusal, path?: string, cause?: unknown, params: Record<string, string> = {}) {
    super('input_refused', { details: { reason, ...(path !== undefined && { path }) }, params, cause });
    this.reason = reason;
  }
}
