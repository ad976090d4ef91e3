import { visibleName, withoutHidden } from '../../../rules/text/hidden-characters.ts';
import { artel } from '../../platform/git/commits.ts';
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

/** Git leaves out these characters at both ends of a name. */
const leftOut = new Set(` .,:;"'\\`);

/** Returns a person as the author of a commit: one line without what Git or a reader takes for something else; null without a usable address. */
export function toAuthor({ name, email }: CommitPerson): CommitPerson | null {
  const at = email.indexOf('@');
  if (at < 1 || at === email.length - 1 || /[\s<>\p{C}]/u.test(email)) return null;
  const letters = [...withoutHidden(name).replace(/[<>\s\p{C}]+/gu, ' ')];
  const isKept = (letter: string) => !leftOut.has(letter);
  const plain = letters.slice(Math.max(0, letters.findIndex(isKept)), letters.findLastIndex(isKept) + 1).join('');
  return { name: plain || email.slice(0, at), email };
}
