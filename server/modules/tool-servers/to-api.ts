import type { ServerTool, ToolDefinition, ToolServer } from '../../../contract/tool-server.ts';
import type { Language } from '../../http/call.ts';
import { translate } from '../../http/language.ts';
import { compareFile } from '../files/index.ts';
import {
  effectOf,
  hashOfDefinition,
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
    ...{ id, projectId, kind, name, url, auth, tools },
    ...{ hasKey: row.keySealed !== null, keyLast4: row.keyLast4 },
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
    ...{ id, serverId, name, callName, policy },
    definition: toDefinition(name, callName, pinned),
    effect: effectOf(pinned),
    policies: policiesOf(pinned),
    state: row.isMissing ? 'missing' : now ? 'changed' : 'pinned',
    change: now && { definition: toDefinition(name, callName, now), diff: differenceOf(name, pinned, now) },
    pinnedAt: row.pinnedAt.toISOString(),
  };
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
  const { diff } = compareFile({ path: name, before: linesOfDefinition(before), after: linesOfDefinition(after) }, maxEdits);
  return diff?.diff ?? '';
}
