import { useEffect, useRef, useState } from 'react';
import { type Api, createApi } from '../../api/create-api.ts';
import { useSession } from '../../session/session-provider.tsx';
import { useTranslation } from '../../ui/i18n/use-translation.ts';

/** Creates a store on the API of the signed-in account, in the user's language, loads it when the part opens, and closes it with the part. */
export function useApiList<Store extends { load: () => Promise<unknown>; close?: () => void }>(
  apiBase: string,
  create: (api: Api) => Store,
): Store {
  const { accessToken } = useSession();
  const { language } = useTranslation();
  const latestLanguage = useRef(language);
  latestLanguage.current = language;
  const [store] = useState(() => create(createApi({ base: apiBase, getToken: accessToken, language: () => latestLanguage.current })));
  useEffect(() => {
    void store.load();
    return () => store.close?.();
  }, [store]);
  return store;
}
