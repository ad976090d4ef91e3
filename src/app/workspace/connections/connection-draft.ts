import { z } from 'zod';
import {
  type ConnectionCreation,
  type ConnectionUpdate,
  connectionLimits,
  type ModelConnection,
} from '../../../../contract/model-connection.ts';
import type { ZodForm } from '../../../ui/form/use-zod-form.ts';
import { connectedProviders, providerFacts } from './provider-facts.ts';

const values = z.object({
  provider: z.enum(connectedProviders),
  /** Empty for the provider's name. */
  name: z.string(),
  address: z.string(),
  folderId: z.string(),
  /** What was typed, never the stored one. */
  apiKey: z.string(),
  /** A stored value is kept while none is typed. */
  headers: z.array(z.object({ name: z.string(), value: z.string(), isStored: z.boolean() })),
  /** JSON as typed. */
  extraBody: z.string().refine((text) => readExtraBody(text) !== undefined),
  defaultModel: z.string(),
  owner: z.enum(['user', 'project']),
});
/** The values of the form. */
export type ConnectionDraft = z.infer<typeof values>;
export type ConnectionFormOf = ZodForm<ConnectionDraft>;

/** What is checked before anything is sent. All other rules are the server's. */
export function connectionFields(isNew: boolean) {
  return values
    .refine(({ provider, address }) => providerFacts[provider].address !== 'must' || address.trim() !== '', { path: ['address'] })
    .refine(({ provider, apiKey }) => !isNew || !providerFacts[provider].needsKey || apiKey.trim() !== '', { path: ['apiKey'] });
}

export function connectionDraft(connection: ModelConnection | null): ConnectionDraft {
  return {
    provider: connection?.provider ?? 'openai',
    name: connection?.name ?? '',
    address: connection?.address ?? '',
    folderId: connection?.folderId ?? '',
    apiKey: '',
    headers: (connection?.headerNames ?? []).map((name) => ({ name, value: '', isStored: true })),
    extraBody: connection?.extraBody ? JSON.stringify(connection.extraBody, null, 2) : '',
    defaultModel: connection?.defaultModel ?? '',
    owner: connection?.owner === 'project' ? 'project' : 'user',
  };
}

/** Returns the typed object; null for an empty text, and undefined for one that is no object in JSON. */
export function readExtraBody(text: string): Record<string, unknown> | null | undefined {
  if (!text.trim()) return null;
  if (text.length > connectionLimits.extraBodyLength) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

/** Returns what a new connection is made of. Fields that the provider does not have are left out. */
export function creationOf(draft: ConnectionDraft, name: string, projectId: string): ConnectionCreation {
  const { address, folderId, headers, extraBody } = sentFields(draft);
  const key = draft.apiKey.trim();
  return {
    provider: draft.provider,
    name: draft.name.trim() || name,
    ...(address !== null && { address }),
    ...(folderId !== null && { folderId }),
    ...(key !== '' && { apiKey: key }),
    ...(headers.length > 0 && { headers }),
    ...(extraBody !== null && { extraBody }),
    ...(draft.owner === 'project' && { projectId }),
  };
}

/** Returns what is changed in a connection. */
export function updateOf(draft: ConnectionDraft, changed: Partial<Record<keyof ConnectionDraft, unknown>>): ConnectionUpdate {
  const { name, apiKey, defaultModel } = draft;
  const given = { ...sentFields(draft), name: name.trim(), apiKey: apiKey.trim(), defaultModel: defaultModel.trim() || null };
  // The stored name and key stay where none is typed.
  return Object.fromEntries(Object.entries(given).filter(([field, value]) => changed[field as keyof typeof given] && value !== ''));
}

function sentFields({ provider, address, folderId, headers, extraBody }: ConnectionDraft) {
  return {
    address: address.trim() || null,
    folderId: (providerFacts[provider].hasFolder && folderId.trim()) || null,
    headers: headers
      .filter(({ name, value }) => name.trim() !== '' || value !== '')
      .map(({ name, value, isStored }) => ({ name: name.trim(), value: value === '' && isStored ? null : value })),
    extraBody: readExtraBody(extraBody) ?? null,
  };
}
