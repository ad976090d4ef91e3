import { z } from 'zod';
import { fenced } from '../../../../rules/text/fenced.ts';
import type { Language } from '../../../http/call.ts';
import { translate } from '../../../http/language.ts';

/** `isOther`: by an author who may not write to the repository. */
const said = z.object({
  author: z.string(),
  path: z.string().nullable(),
  line: z.number().nullable(),
  text: z.string(),
  isOther: z.boolean().default(false),
});
export type Said = z.infer<typeof said>;

/**
 * What has happened in a repository, as a fire keeps it. `issue`: an issue was labelled or the team was asked in it; `review`: something was said about its
 * pull request; `checks`: the CI of that has failed. `words`: what the run answers, and for an issue its comments.
 */
const forgeEvent = z.object({
  event: z.enum(['issue', 'review', 'checks']),
  /** The repository, without `.git`. */
  repository: z.string(),
  number: z.number().int(),
  title: z.string(),
  text: z.string(),
  author: z.string(),
  url: z.string(),
  words: z.array(said),
});
export type ForgeEvent = z.infer<typeof forgeEvent>;

/** Reads what a fire keeps. Throws for a body that this server has not written. */
export function readEvent(body: string | null): ForgeEvent {
  return forgeEvent.parse(JSON.parse(body ?? ''));
}

/** Returns the text of an event that follows the task of the team: words of people in fences that they cannot close. */
export function textOfEvent({ event, number, title, text, author, words }: ForgeEvent, branch: string | null, language: Language): string {
  const issue = `${translate(language, 'forge.issue', { number: String(number), author })}\n\n${fenced(`${title}\n\n${text}`.trim())}`;
  if (words.length === 0) return issue;
  const lead = event === 'issue' ? 'forge.comments' : event === 'checks' ? 'forge.checks' : 'publish.review_task';
  // One fence for each: no words can pretend to be those of another author.
  const all = words.map((one) => {
    const author = one.isOther ? translate(language, 'forge.other', { author: one.author }) : one.author;
    return `${placeOf(one)}${author}:\n\n${fenced(one.text)}`;
  });
  return [issue, translate(language, lead, { branch: branch ?? '' }), ...all].join('\n\n');
}

function placeOf({ path, line }: Said): string {
  if (path === null) return '';
  return line === null ? `${path}, ` : `${path}:${line}, `;
}
