import ky from 'ky';
import type { z } from 'zod';
import type { ResponseTo, Sending } from '../../contract/call.ts';
import type { Route } from '../../contract/route.ts';
import { type RouteName, routes } from '../../contract/routes.ts';
import { ApiError } from './api-error.ts';
import { callUrl, type Values } from './call-url.ts';
import { failureNote } from './failure-note.ts';
import { answerError, readBody } from './read-answer.ts';

/** How long a call may take, body included. P9.01 */
const callTimeoutMs = 30_000;
/** How long a call with a file may take (ms): as long as the server reads a request. It may have to fetch a repository too. */
const fileTimeoutMs = 120_000;

type ApiOptions = {
  /** The API's base, such as `http://localhost:5001/api`. */
  base: string | (() => string);
  /** Returns the access token for calls, or null. */
  getToken?: () => string | null | Promise<string | null>;
  /** `Accept-Language`. */
  language?: () => string;
  /** The id of the tab, sent with every call. */
  clientId?: () => string;
  fetch?: typeof fetch;
  timeoutMs?: number;
  /** Called with one line for every failed call, before the call throws. */
  note?: (line: string) => void;
  /** Normalises a response to the contract's words before it is checked. */
  understand?: (name: RouteName, answer: unknown) => unknown;
};

/** Where a call may be a form, it is sent as one. */
export type ApiSending<K extends RouteName> = Sending<K, FormData, { signal?: AbortSignal }>;

/** A checked answer, with the total number of items for a page of a list (`X-Total-Count`). */
type Answered<K extends RouteName> = { value: ResponseTo<K>; total: number | null };

export type Api = {
  /** Makes one call of the contract and returns its checked answer. Throws only `ApiError`. Never retries. */
  call: <K extends RouteName>(name: K, ...sent: ApiSending<K>) => Promise<ResponseTo<K>>;
  /** Makes a call for one page of a list. The total is null if the server sends none. */
  page: <K extends RouteName>(name: K, ...sent: ApiSending<K>) => Promise<Answered<K>>;
};

/** Creates a client of the API, typed by the route table. */
export function createApi(options: ApiOptions): Api {
  const { base, getToken, language, clientId, timeoutMs } = options;

  const page: Api['page'] = async (name, ...sent) => {
    try {
      return await make(name, ...sent);
    } catch (error) {
      if (error instanceof ApiError) options.note?.(failureNote(error, name, sent[0]?.body));
      throw error;
    }
  };

  const make: Api['page'] = async (name, ...[sent = {}]) => {
    const definition: Route = routes[name];
    const { params, query, body, idempotencyKey, signal } = sent as {
      params?: Values;
      query?: Values;
      body?: unknown;
      idempotencyKey?: string;
      signal?: AbortSignal;
    };
    const url = callUrl(typeof base === 'function' ? base() : base, definition.path, params, query);
    const token = await getToken?.();
    const headers: Record<string, string> = { Accept: 'application/json' };
    // A form names its own type, with its boundary.
    const isForm = body instanceof FormData;
    if (body !== undefined && !isForm) headers['Content-Type'] = definition.takes ?? 'application/json';
    if (token) headers.Authorization = `Bearer ${token}`;
    if (language) headers['Accept-Language'] = language();
    if (clientId) headers['X-Client-Id'] = clientId();
    if (idempotencyKey) headers['Idempotency-Key'] = idempotencyKey;

    const { response, answer } = await send(
      url,
      timeoutMs ?? (definition.tag === 'input' || definition.limit === 'publish' ? fileTimeoutMs : callTimeoutMs),
      {
        method: definition.method,
        headers,
        ...(body !== undefined && {
          body: isForm || definition.takes ? (body as FormData | Uint8Array<ArrayBuffer>) : JSON.stringify(body),
        }),
        ...(signal && { signal }),
        ...(options.fetch && { fetch: options.fetch }),
        timeout: false,
        retry: 0,
        throwHttpErrors: false,
      },
    );
    if (!response.ok) throw answerError(response, answer);
    const parsed = definition.response.safeParse(options.understand ? options.understand(name, answer) : answer);
    if (!parsed.success) {
      throw new ApiError({
        status: response.status,
        code: 'bad_answer',
        message: `The answer to ${name} is not as agreed`,
        details: { field: wrongField(answer, parsed.error.issues) },
        cause: parsed.error,
      });
    }
    const total = Number(response.headers.get('x-total-count') ?? Number.NaN);
    return { value: parsed.data as ResponseTo<typeof name>, total: Number.isInteger(total) ? total : null };
  };

  return { page, call: async (name, ...sent) => (await page(name, ...sent)).value };
}

/** Sends a request and reads its answer. Aborts a call that takes longer than `timeoutMs` in all. */
async function send(
  url: string,
  timeoutMs: number,
  options: NonNullable<Parameters<typeof ky>[1]> & { signal?: AbortSignal },
): Promise<{ response: Response; answer: unknown }> {
  const limit = new AbortController();
  const timer = setTimeout(() => limit.abort(), timeoutMs);
  const signal = options.signal ? AbortSignal.any([options.signal, limit.signal]) : limit.signal;
  const ended = new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason), { once: true }));
  try {
    return await Promise.race([ask(url, { ...options, signal }), ended]);
  } catch (cause) {
    if (cause instanceof ApiError) throw cause;
    if (options.signal?.aborted) throw new ApiError({ status: 0, code: 'aborted', message: 'The call was given up', cause });
    if (limit.signal.aborted)
      throw new ApiError({ status: 0, code: 'timeout', message: `No answer within ${timeoutMs} ms`, details: { timeoutMs }, cause });
    throw new ApiError({ status: 0, code: 'network', message: 'Failed to fetch', cause });
  } finally {
    clearTimeout(timer);
  }
}

async function ask(url: string, options: Parameters<typeof ky>[1]): Promise<{ response: Response; answer: unknown }> {
  const response = await ky(url, options);
  return { response, answer: await readBody(response) };
}

/** Returns the first field of an answer with a wrong value; null where fields are only missing. */
function wrongField(answer: unknown, issues: readonly z.core.$ZodIssue[]): string | null {
  if (typeof answer !== 'object' || answer === null) return null;
  const each = issues.flatMap((issue) => (issue.code === 'invalid_union' ? issue.errors.flat() : issue));
  const given = each.map(({ path: [field] }) => String(field)).find((field) => ((answer as Values)[field] ?? null) !== null);
  return given ?? null;
}
