import { errorBody } from '../../contract/errors.ts';
import { ApiError } from './api-error.ts';

/** Media types of answers that are bytes. A patch names an encoding unless it has several. */
const binaryTypes = ['application/zip', 'application/x-git-bundle', 'text/x-patch'];

/** Reads an answer's body: bytes of an archive, JSON by its content type, else text; undefined for an empty body. P7.01 */
export async function readBody(response: Response): Promise<unknown> {
  const type = response.headers.get('content-type') ?? '';
  if (response.ok && binaryTypes.includes(type)) return new Uint8Array(await response.arrayBuffer());
  const text = await response.text();
  // An empty file is still a text.
  if (text === '') return response.ok && response.status !== 204 && type.startsWith('text/') ? '' : undefined;
  const isJson = /[/+]json\b/i.test(type);
  if (!isJson) return text;
  try {
    return JSON.parse(text);
  } catch (cause) {
    if (!response.ok) return text;
    throw new ApiError({ status: response.status, code: 'bad_answer', message: 'The answer is not JSON', cause });
  }
}

/** Returns the error of a failed call, from as much of the answer as can be read. P8.01 */
export function answerError(response: Response, body: unknown): ApiError {
  const known = errorBody.safeParse(body);
  const retryAfterMs = retryAfter(response.headers.get('retry-after'));
  const common = { status: response.status, retryAfterMs };
  if (known.success) return new ApiError({ ...common, ...known.data });
  const loose = typeof body === 'object' && body !== null ? (body as { message?: unknown; code?: unknown }) : {};
  const message = typeof loose.message === 'string' && loose.message ? loose.message : `HTTP ${response.status}: ${response.statusText}`;
  return new ApiError({ ...common, code: typeof loose.code === 'string' ? loose.code : 'http', message });
}

function retryAfter(value: string | null): number | null {
  const seconds = Number(value);
  return value && Number.isFinite(seconds) && seconds >= 0 ? seconds * 1_000 : null;
}
