import { createApi } from '../../api/create-api.ts';
import type { LeadDraft } from './lead-draft.ts';

/** Sends a complete demo request. Throws an `ApiError` when the server has not stored it. */
export async function sendLead(apiBase: string, language: string, draft: LeadDraft): Promise<void> {
  await createApi({ base: apiBase, language: () => language }).call('lead.create', { body: { ...draft, consent: true } });
}
