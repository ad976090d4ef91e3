import {
  type ConnectionCreation,
  type ConnectionUpdate,
  connectionLimits,
  type ModelConnection,
} from '../../../../contract/model-connection.ts';
import type { Problem } from '../../../model/problem.ts';
import { type ConnectedProvider, providerFacts } from './provider-facts.ts';

/** A header of the form. Its stored value is kept while none is typed. */
export type HeaderDraft = { name: string; value: string; isStored: boolean };

/** The values of the form; `apiKey` is what was typed, never the stored one. */
export type ConnectionDraft = {
  provider: ConnectedProvider;
  /** Empty for the provider's name. */
  name: string;
  address: string;
  folderId: string;
  apiKey: string;
  headers: HeaderDraft[];
  /** JSON as typed. */
  extraBody: string;
  defaultModel: string;
  isOfProject: boolean;
};

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
    isOfProject: connection?.owner === 'project',
  };
}

type ConnectionField = 'name' | 'address' | 'folderId' | 'apiKey' | 'headers' | 'extraBody' | 'defaultModel';

/** Returns the fields that cannot be sent as they are. All other rules are the server's. */
export function localProblems({ provider, address, extraBody }: ConnectionDraft): ('address' | 'extraBody')[] {
  const problems: ('address' | 'extraBody')[] = [];
  if (providerFacts[provider].address === 'must' && !address.trim()) problems.push('address');
  if (readExtraBody(extraBody) === undefined) problems.push('extraBody');
  return problems;
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
    ...(draft.isOfProject && { projectId }),
  };
}

/** Returns what is changed in a connection. */
export function updateOf(draft: ConnectionDraft, connection: ModelConnection): ConnectionUpdate {
  const before = sentFields(connectionDraft(connection));
  const after = sentFields(draft);
  const key = draft.apiKey.trim();
  const name = draft.name.trim();
  const defaultModel = draft.defaultModel.trim() || null;
  return {
    ...(name !== '' && name !== connection.name && { name }),
    ...(after.address !== before.address && { address: after.address }),
    ...(after.folderId !== before.folderId && { folderId: after.folderId }),
    ...(key !== '' && { apiKey: key }),
    ...(isOther(after.headers, before.headers) && { headers: after.headers }),
    ...(isOther(after.extraBody, before.extraBody) && { extraBody: after.extraBody }),
    ...(defaultModel !== connection.defaultModel && { defaultModel }),
  };
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

function isOther(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) !== JSON.stringify(other);
}

/** Returns the server's sentences about single fields. */
export function fieldProblems(problem: Problem | null): Partial<Record<ConnectionField, string>> {
  const found: Partial<Record<ConnectionField, string>> = {};
  for (const { params } of problem?.details ?? []) {
    const field = fields.find((name) =>
      String(params?.path ?? '')
        .split('.')
        .includes(name),
    );
    if (field) found[field] ??= String(params?.message ?? '');
  }
  return found;
}

const fields: readonly ConnectionField[] = ['name', 'address', 'folderId', 'apiKey', 'headers', 'extraBody', 'defaultModel'];
