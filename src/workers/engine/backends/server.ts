import { createApi } from '../../../api/create-api.ts';
import { normalizeServerAnswer } from '../../../model/normalize-server-answer.ts';
import type { BackendParts } from '../create-engine.ts';
import type { Environment } from '../environment/environment.ts';
import { createHttpBackend } from './http.ts';
import type { Backend } from './port.ts';

/** The server of the session. Failed calls are noted in the developer's console. */
export function createServerBackend(
  { session, language, clientId }: BackendParts,
  { fetch, warn }: Pick<Environment, 'warn'> & { fetch: typeof globalThis.fetch },
): Backend {
  return createHttpBackend(
    createApi({
      base: () => session()?.apiBase ?? '',
      getToken: () => session()?.accessToken ?? null,
      language,
      clientId,
      fetch,
      understand: normalizeServerAnswer,
      note: warn,
    }),
  );
}
