import { useEffect, useRef, useState } from 'react';
import { v7 } from 'uuid';
import { createApi } from '../../api/create-api.ts';
import { useSession } from '../../session/session-provider.tsx';
import { useObserved } from '../../state/use-observed.ts';
import { useTranslation } from '../../ui/i18n/use-translation.ts';
import { LeadStore, type LeadsState } from './lead-store.ts';

/** The demo requests of the server at `apiBase`, read when the page opens. */
export function useLeads(apiBase: string): { desk: LeadStore; state: LeadsState } {
  const { accessToken } = useSession();
  const { language } = useTranslation('leads');
  const spoken = useRef(language);
  spoken.current = language;
  const [desk] = useState(() => new LeadStore(createApi({ base: apiBase, getToken: accessToken, language: () => spoken.current }), v7));
  const state = useObserved(desk, desk.get);
  useEffect(() => {
    void desk.load();
  }, [desk]);
  return { desk, state };
}
