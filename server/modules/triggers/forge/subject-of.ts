import { cutAtWord } from '../../../../rules/text/cut-at-word.ts';
import type { Language } from '../../../http/call.ts';
import { translate } from '../../../http/language.ts';
import { withoutName } from './commands.ts';
import type { ForgeEvent } from './forge-event.ts';

/** The longest name of a commit and of a pull request, without the number of the issue (UTF-16 units). */
const longestSubject = 64;

/** Words with which a commit has GitHub, GitLab and Gitea run no CI for it. */
const skipping = /\[(skip ci|ci skip|no ci|skip actions|actions skip)\]/gi;

/** Returns words of others for a commit, which they must not take from its CI: brackets around such words become round. */
export function withoutSkipping(text: string): string {
  return text.replace(skipping, '($1)');
}

/**
 * Returns what the commit of a run is named after: the issue, what a person has asked for about its pull request, or the check that has failed, each with
 * the number of the issue.
 */
export function subjectOf({ event, number, title, words }: ForgeEvent, { login, language }: { login: string; language: Language }): string {
  const asked = words.find(({ text, isOther }) => !isOther && firstLine(withoutName(text, login)) !== '');
  const line = event === 'issue' || asked === undefined ? title : firstLine(withoutName(asked.text, login));
  const name = event === 'checks' ? translate(language, 'forge.subject_checks', { name: asked?.author ?? '' }) : line;
  return `${cutAtWord(withoutSkipping(name.replace(/\s+/g, ' ').trim()), longestSubject)} (#${number})`.trim();
}

/** Returns the first line with a word, without what quotes, begins a fence or marks a list or a heading. */
function firstLine(text: string): string {
  const lines = text.split('\n').map((line) => line.trim());
  const isWords = (line: string) => /[\p{L}\p{N}]/u.test(line) && !/^(?:>|```|~~~|<!--)/.test(line);
  return (lines.find(isWords) ?? '').replace(/^(?:[#*+-]+|\d{1,3}[.)])\s+/, '');
}
