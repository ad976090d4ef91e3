import type { InputRefusal } from '../../../contract/input.ts';
import { ApiError } from '../../http/api-error.ts';

/** A file, an archive or a repository that is not taken, with the reason. */
export class InputRefused extends ApiError {
  readonly reason: InputRefusal;

  constructor(reason: InputRefusal, path?: string, cause?: unknown) {
    super('input_refused', { details: { reason, ...(path !== undefined && { path }) }, cause });
    this.reason = reason;
  }
}
