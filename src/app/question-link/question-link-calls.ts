import type { LinkedQuestion, QuestionAnswer } from '../../../contract/executions/question.ts';
import { ApiError } from '../../api/api-error.ts';
import { type Api, createApi } from '../../api/create-api.ts';
import { serverConfigs } from '../../session/server-choice.ts';

/**
 * Why an answer was not taken, while the question may be open. `invalid`: the server refuses fields of the answer. `unsent`: the server
 * may have received the answer, and no response arrived.
 */
export type SendFailure =
  | { kind: 'unsent' | 'tooMany' | 'server' }
  | { kind: 'invalid'; fields: { path: string; message: string }[]; message: string };
/** Why a call with a signed link failed. `gone`: the link is unknown, mistyped or replaced. */
export type LinkFailure = SendFailure | { kind: 'gone' | 'answered' | 'withdrawn' | 'expired' };

type LinkResult<T> = { ok: true; value: T } | { ok: false; failure: LinkFailure };

type CallOptions = { token: string; language: string };

/** Reads the question of a signed link. G2.04 */
export function readLinkedQuestion(options: CallOptions): Promise<LinkResult<LinkedQuestion>> {
  return attempt(options, (api) => api.call('questionLink.get', { params: { token: options.token } }));
}

/** Answers the question of a signed link. G2.04 */
export function answerLinkedQuestion(options: CallOptions, body: QuestionAnswer): Promise<LinkResult<void>> {
  return attempt(options, async (api) => {
    await api.call('questionLink.answer', { params: { token: options.token }, body });
  });
}

async function attempt<T>({ language }: CallOptions, action: (api: Api) => Promise<T>): Promise<LinkResult<T>> {
  try {
    const { VITE_API_PRODUCTION } = import.meta.env;
    const [{ apiBase }] = serverConfigs({ origin: location.origin, VITE_API_PRODUCTION, development: false });
    return { ok: true, value: await action(createApi({ base: apiBase, language: () => language })) };
  } catch (error) {
    if (error instanceof ApiError) return { ok: false, failure: failureOf(error) };
    throw error;
  }
}

function failureOf({ status, code, errors, message }: ApiError): LinkFailure {
  if (code === 'question_answered') return { kind: 'answered' };
  if (code === 'link_withdrawn') return { kind: 'withdrawn' };
  if (code === 'link_expired') return { kind: 'expired' };
  if (status === 404 || (status === 400 && errors.some(({ path }) => path === 'token'))) return { kind: 'gone' };
  if (status === 400 || status === 413) return { kind: 'invalid', fields: errors, message };
  if (status === 429) return { kind: 'tooMany' };
  return { kind: status === 0 ? 'unsent' : 'server' };
}
