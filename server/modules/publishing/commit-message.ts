import { visibleName, withoutHidden } from '../../../rules/text/hidden-characters.ts';
import { artel } from '../../platform/git/commit-author.ts';
import type { CommitPerson } from '../../platform/git/git-messages.ts';

type Message = { title: string; executionId: string; author: CommitPerson | null; signsOff: boolean };

/**
 * Returns the message of a run's commit. Its last line names the run. A title is one line, so that it cannot end in lines that Git reads as names of
 * authors.
 */
export function commitMessage({ title, executionId, author, signsOff }: Message): string {
  const lines = [
    ...(author && signsOff ? [`Signed-off-by: ${named(author)}`] : []),
    ...(author ? [`Co-authored-by: ${named(artel)}`] : []),
    `Artel-Run: ${executionId}`,
  ];
  return `${visibleName(title.replace(/\s+/g, ' ').trim()) || 'Artel'}\n\n${lines.join('\n')}\n`;
}

function named({ name, email }: CommitPerson): string {
  return `${name} <${email}>`;
}

/** Returns a person as the author of a commit: one line without what Git or a reader takes for something else; null without a usable address. */
export function toAuthor({ name, email }: CommitPerson): CommitPerson | null {
  if (!/^[^\s<>\p{C}]+@[^\s<>\p{C}]+$/u.test(email)) return null;
  const plain = withoutHidden(name)
    .replace(/[<>\s\p{C}]+/gu, ' ')
    .replace(/^[\s.,:;"'\\]+|[\s,:;"'\\]+$/g, '');
  return { name: plain || email.slice(0, email.indexOf('@')), email };
}
