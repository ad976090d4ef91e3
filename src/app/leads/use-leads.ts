import { useEffect, useRef, useState } from 'react';
import { v7 } from 'uuid';
import { createApi } from '../../api/create-api.ts';
import { useSession } from '../../session/session-provider.tsx';
import { useObserved } from '../../state/use-observed.ts';
import { useTranslation } from '../../ui/i18n/use-translation.ts';
import { LeadStore, type LeadsState } from './lead-store.ts';

/** Reads the demo requests of the server at `apiBase` when the page opens. */
export function useLeads(apiBase: string): { store: LeadStore; state: LeadsState } {
  const { accessToken } = useSession();
  const { language } = useTranslation('leads');
  const spoken = useRef(language);
  spoken.current = language;
  const [store] = useState(() => new LeadStore(createApi({ base: apiBase, getToken: accessToken, language: () => spoken.current }), v7));
  const state = useObserved(store, store.get);
  useEffect(() => {
    void store.load();
  }, [store]);
  return { store, state };
}
