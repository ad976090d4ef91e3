import { useEffect, useRef, useState } from 'react';
import { type Api, createApi } from '../api/create-api.ts';
import { useSession } from '../session/session-provider.tsx';
import { useTranslation } from '../ui/i18n/use-translation.ts';

/** Makes a store that calls the server in the language of the page, and loads it. */
export function useRemoteStore<Store extends { load: () => Promise<boolean>; close?: () => void }>(
  apiBase: string,
  make: (api: Api) => Store,
): Store {
  const { accessToken } = useSession();
  const { language } = useTranslation('common');
  const latestLanguage = useRef(language);
  latestLanguage.current = language;
  const [store] = useState(() => make(createApi({ base: apiBase, getToken: accessToken, language: () => latestLanguage.current })));
  useEffect(() => {
    void store.load();
    return () => store.close?.();
  }, [store]);
  return store;
}
