import { z } from 'zod';
import type { Egress } from '../../egress/egress.ts';
import { parseBoundedJson } from '../bounded-json.ts';
import { failureOfError } from '../classify-failure.ts';
import { httpFailure } from '../http-failure.ts';
import type { TokenOutcome } from './access-tokens.ts';

type ExchangeOptions = {
  authUrl: string;
  /** The version of the API that the keys belong to. */
  scope: string;
  /** The limits for calls to that server: see `createEgress`. */
  call: Egress;
  /** A UUID that identifies the request in the other side's log. */
  newId: () => string;
};

const granted = z.object({
  access_token: z.string().regex(/^[!-~]+$/),
  /** Milliseconds since the epoch. */
  expires_at: z.number(),
});

/** The assumed lifetime of a token if the clocks of the two sides disagree (ms). */
const life = { shortest: 2 * 60_000, longest: 30 * 60_000 };

/** Exchanges a GigaChat authorization key for an access token. Never rejects. */
export async function exchangeKey(options: ExchangeOptions, key: string): Promise<TokenOutcome> {
  const { authUrl, scope, newId } = options;
  try {
    const answer = await options.call(authUrl, {
      method: 'POST',
      headers: {
        authorization: `Basic ${key}`,
        rquid: newId(),
        accept: 'application/json',
        'content-type': 'application/x-www-form-urlencoded',
      },
      body: new URLSearchParams({ scope }).toString(),
    });
    if (!answer.ok) throw await httpFailure(answer);
    const { access_token: value, expires_at: expiresAt } = granted.parse(parseBoundedJson(await answer.text()));
    return { ok: true, value: { value, lifeMs: Math.min(Math.max(expiresAt - Date.now(), life.shortest), life.longest) } };
  } catch (error) {
    const failure = failureOfError(error, new AbortController().signal, key);
    // Any refusal here concerns the key, or the version of the API that it belongs to.
    const code = failure.code === 'model_rejected' ? 'model_unauthorized' : failure.code;
    return { ok: false, error: { ...failure, code, host: new URL(authUrl).host } };
  }
}
