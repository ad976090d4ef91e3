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

/** `behind`: the issues that wait behind this one. `again`: the label that starts the work, and the name that does; null where a name starts nothing. */
type About = { page: string; team: string; language: Language; behind: number; again: { label: string; login: string | null } };

/** Returns the comment about an issue: what becomes of it, what starts the work again where it has failed, where to look, and what can be said. */
export function commentOf(thread: ThreadRow, about: About): string {
  const { page, team, language, behind } = about;
  const { state, detail, note, requestUrl, requestNumber } = thread;
  const request = requestUrl === null ? '' : `[#${requestNumber}](${requestUrl})`;
  const parts = [
    markOf(thread),
    `**Artel** (${team.replace(/[[\]<>`*_]/g, '')}): ${translate(language, words[state], { request })}`,
    detail === null ? '' : quoted(detail.slice(0, maxDetail).toWellFormed()),
    state === 'waiting' && behind > 0 ? translate(language, 'forge.behind', { count: String(behind) }) : '',
    state === 'refused' || state === 'failed' ? againOf(thread, about) : '',
    note === null ? '' : quoted(note),
    `[${translate(language, 'forge.open')}](${page}) · ${translate(language, 'forge.commands')}`,
  ];
  return parts.filter((part) => part !== '').join('\n\n');
}

/** Says what starts the work again. */
function againOf({ branch, requestUrl, requestNumber }: ThreadRow, { language, again: { label, login } }: About): string {
  const named = label.replaceAll('`', '');
  if (branch !== null && requestNumber !== null)
    return translate(language, 'forge.again_request', { label: named, request: `[#${requestNumber}](${requestUrl ?? ''})` });
  return login === null
    ? translate(language, 'forge.again', { label: named })
    : translate(language, 'forge.again_named', { label: named, login });
}

/** GitLab carries out lines that begin with a slash, in some versions also within a fence. */
function quoted(text: string): string {
  return fenced(text.replace(/^\//gm, ' /'));
}

export function hashOfComment(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
