import { type ReactNode, useRef, useState } from 'react';
import { ApiError } from '../../api/api-error.ts';
import { type Api, type ApiSending, createApi } from '../../api/create-api.ts';
import type { Answered, Call } from '../../model/call.ts';
import { failed } from '../../model/problem.ts';
import { useSession } from '../../session/session-provider.tsx';
import { useTranslation } from '../../ui/i18n/use-translation.ts';
import { ServerData } from './server-data.ts';
import { ServerDataContext } from './server-data-provider.tsx';

/** Returns the API of the signed-in account, in the user's language. */
export function useApi(apiBase: string): Api {
  const { accessToken } = useSession();
  const { language } = useTranslation();
  const latestLanguage = useRef(language);
  latestLanguage.current = language;
  const [api] = useState(() => createApi({ base: apiBase, getToken: accessToken, language: () => latestLanguage.current }));
  return api;
}

/** Provides the data of the server to a page without a workspace, which calls the API itself. */
export function ApiData({ apiBase, children }: { apiBase: string; children: ReactNode }) {
  const api = useApi(apiBase);
  const [data] = useState(() => {
    const call: Call = (route, ...sent) => answerOf(api.call(route, ...(sent as unknown as ApiSending<typeof route>)));
    return new ServerData(call);
  });
  return <ServerDataContext value={data}>{children}</ServerDataContext>;
}

/** The answer to a call of the API, or the problem of one that has failed. */
export async function answerOf<T>(call: Promise<T>): Promise<Answered<T>> {
  try {
    return { ok: true, value: await call };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const { code, message } = error;
    return failed(code === 'http' ? 'api.message' : code, { message });
  }
}
