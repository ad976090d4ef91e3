import { createHash } from 'node:crypto';
import { fenced } from '../../../../rules/text/fenced.ts';
import type { Language } from '../../../http/call.ts';
import { type ServerText, translate } from '../../../http/language.ts';
import type { forgeThreads } from './tables.ts';

export type ThreadRow = typeof forgeThreads.$inferSelect;

/** The comment of a server has a mark that no reader sees. All comments with such a mark are the server's own. */
export const ownMark = '<!-- artel:';

/** The longest answer of a run that stands in a comment (UTF-16 units). */
const maxDetail = 6_000;

const words: Record<ThreadRow['state'], ServerText> = {
  waiting: 'forge.state_waiting',
  started: 'forge.state_started',
  asked: 'forge.state_asked',
  published: 'forge.state_published',
  answered: 'forge.state_answered',
  refused: 'forge.state_refused',
  failed: 'forge.state_failed',
  attention: 'forge.state_attention',
  paused: 'forge.state_paused',
  closed: 'forge.state_closed',
};

export function markOf({ id }: Pick<ThreadRow, 'id'>): string {
  return `${ownMark}${id} -->`;
}

/** Returns the comment about an issue: what becomes of it, where to look, and what can be said. */
export function commentOf(thread: ThreadRow, { page, team, language }: { page: string; team: string; language: Language }): string {
  const { state, detail, note, requestUrl, requestNumber } = thread;
  const request = requestUrl === null ? '' : `[#${requestNumber}](${requestUrl})`;
  const parts = [
    markOf(thread),
    `**Artel** (${team.replace(/[[\]<>`*_]/g, '')}): ${translate(language, words[state], { request })}`,
    detail === null ? '' : quoted(detail.slice(0, maxDetail).toWellFormed()),
    note === null ? '' : quoted(note),
    `[${translate(language, 'forge.open')}](${page}) · ${translate(language, 'forge.commands')}`,
  ];
  return parts.filter((part) => part !== '').join('\n\n');
}

/** GitLab carries out lines that begin with a slash, in some versions also within a fence. */
function quoted(text: string): string {
  return fenced(text.replace(/^\//gm, ' /'));
}

export function hashOfComment(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
