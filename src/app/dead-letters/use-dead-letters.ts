import { useEffect, useRef, useState } from 'react';
import { createApi } from '../../api/create-api.ts';
import { useSession } from '../../session/session-provider.tsx';
import { useObserved } from '../../state/use-observed.ts';
import { useTranslation } from '../../ui/i18n/use-translation.ts';
import { DeadLetterStore, type DeadLettersState } from './dead-letter-store.ts';

/** Reads the dead letters of the server at `apiBase` when the page opens. */
export function useDeadLetters(apiBase: string): { store: DeadLetterStore; state: DeadLettersState } {
  const { accessToken } = useSession();
  const { language } = useTranslation('dead-letters');
  const latestLanguage = useRef(language);
  latestLanguage.current = language;
  const [store] = useState(
    () => new DeadLetterStore(createApi({ base: apiBase, getToken: accessToken, language: () => latestLanguage.current })),
  );
  const state = useObserved(store, store.get);
  useEffect(() => {
    void store.load();
  }, [store]);
  return { store, state };
}
