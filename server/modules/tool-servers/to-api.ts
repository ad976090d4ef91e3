import { setImmediate } from 'node:timers/promises';
import type { ServerTool, ToolDefinition, ToolServer } from '../../../contract/tool-server.ts';
import type { Language } from '../../http/call.ts';
import { translate } from '../../http/language.ts';
import { shownAddress } from '../../platform/egress/address-secrets.ts';
import { compareFile } from '../files/index.ts';
import {
  effectOf,
  hashOfDefinition,
  isComparable,
  linesOfDefinition,
  policiesOf,
  type RefusedTool,
  type StoredDefinition,
  tokensOf,
} from './definitions.ts';
import type { ServerToolRow, ToolServerRow } from './repository.ts';

/** Converts a row to the API's server. `tools`: how many of its tools are in which state. */
export function toToolServer(row: ToolServerRow, tools: ToolServer['tools'], language: Language): ToolServer {
  const { id, projectId, kind, name, url, auth, problem, aboutName, aboutVersion } = row;
  return {
    id,
    projectId,
    kind,
    name,
    url: url && shownAddress(url),
    auth,
    tools,
    hasKey: row.keySealed !== null,
    keyLast4: row.keyLast4,
    testedAt: row.testedAt?.toISOString() ?? null,
    problem: problem && { reason: problem, message: translate(language, `tools.problem_${problem}`) },
    about: aboutName === null ? null : { name: aboutName, version: aboutVersion ?? '' },
    refused: JSON.parse(row.refused) as RefusedTool[],
    refusedCount: row.refusedCount,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

/** Converts a row to the API's tool. */
export function toServerTool(row: ServerToolRow): ServerTool {
  const { id, serverId, name, callName, policy, current } = row;
  const pinned = definitionIn(row.pinned);
  const now = current === null ? null : definitionIn(current);
  return {
    id,
    serverId,
    name,
    callName,
    policy,
    definition: toDefinition(name, callName, pinned),
    effect: effectOf(pinned),
    policies: policiesOf(pinned),
    state: row.isMissing ? 'missing' : now ? 'changed' : 'pinned',
    change: now && { definition: toDefinition(name, callName, now), diff: differenceOf(name, pinned, now) },
    pinnedAt: row.pinnedAt.toISOString(),
  };
}

/** Converts many rows. Other work of the server goes on between those that have changed. */
export async function toServerTools(rows: readonly ServerToolRow[]): Promise<ServerTool[]> {
  const tools: ServerTool[] = [];
  for (const row of rows) {
    tools.push(toServerTool(row));
    if (row.current !== null) await setImmediate();
  }
  return tools;
}

export function definitionIn(text: string): StoredDefinition {
  return JSON.parse(text) as StoredDefinition;
}

function toDefinition(name: string, callName: string, definition: StoredDefinition): ToolDefinition {
  return { ...definition, tokens: tokensOf(callName, definition), hash: hashOfDefinition(name, definition) };
}

/** The most differing lines that are searched for in a definition: beyond them it is shown as rewritten, since a page holds many tools. */
const maxEdits = 60;

function differenceOf(name: string, before: StoredDefinition, after: StoredDefinition): string {
  const lines = { before: linesOfDefinition(before), after: linesOfDefinition(after) };
  // One of an earlier version of this server may be larger.
  const limit = isComparable(lines.before) && isComparable(lines.after) ? maxEdits : 0;
  const { diff } = compareFile({ path: name, ...lines }, { limit });
  return diff?.diff ?? '';
}
