import { setImmediate } from 'node:timers/promises';
import { type ServerTool, serverTool, type ToolDefinition, type ToolServer, toolServer } from '../../../contract/tool-server.ts';
import type { Language } from '../../http/call.ts';
import { translate } from '../../http/language.ts';
import { viewOf } from '../../platform/database/view-of.ts';
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

const showServer = viewOf(toolServer);
const showTool = viewOf(serverTool);

/** Converts a row to the API's server. `tools`: how many of its tools are in which state. */
export function toToolServer(row: ToolServerRow, tools: ToolServer['tools'], language: Language): ToolServer {
  const { url, problem, aboutName, aboutVersion } = row;
  return showServer(row, {
    url: url && shownAddress(url),
    tools,
    hasKey: row.keySealed !== null,
    problem: problem && { reason: problem, message: translate(language, `tools.problem_${problem}`) },
    about: aboutName === null ? null : { name: aboutName, version: aboutVersion ?? '' },
    refused: JSON.parse(row.refused) as RefusedTool[],
  });
}

/** Converts a row to the API's tool. */
export function toServerTool(row: ServerToolRow): ServerTool {
  const { name, callName, current } = row;
  const pinned = definitionIn(row.pinned);
  const now = current === null ? null : definitionIn(current);
  return showTool(row, {
    definition: toDefinition(name, callName, pinned),
    effect: effectOf(pinned),
    policies: policiesOf(pinned),
    state: row.isMissing ? 'missing' : now ? 'changed' : 'pinned',
    change: now && { definition: toDefinition(name, callName, now), diff: differenceOf(name, pinned, now) },
  });
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
