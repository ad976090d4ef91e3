import { ApiError } from '../../http/api-error.ts';

export function refusedField(path: string, message: string, cause?: unknown): ApiError {
  return new ApiError('bad_request', { errors: [{ path, message }], cause });
}
