import type { FireReason } from '../../../../contract/trigger.ts';
import type { ForgeComment } from '../../../platform/git/forges/forge.ts';
import { type Command, commandIn, isNod, mentionIn, withoutName } from './commands.ts';
import { ownMark } from './kept-comment.ts';

/** Where words stand: on a pull request, in an issue that has started a run before, and whether a name at their beginning starts one. */
type CommentContext = { isRequest: boolean; hasThread: boolean; takesMentions: boolean; login: string };
/** What becomes of words: a command, a run, or a note that says why they start nothing. */
type TakenWords = { kind: 'command'; command: Command } | { kind: 'run' } | { kind: 'noted'; reason: FireReason };

/** Says what words of a person are for; null for those that are not for the team. What programs write, and the server itself, is for no one. */
export function takenWords(one: ForgeComment, { isRequest, hasThread, takesMentions, login }: CommentContext): TakenWords | null {
  if (one.author.isBot || one.text.includes(ownMark)) return null;
  const mention = isRequest || !takesMentions ? null : mentionIn(one.text, login);
  const command = hasThread ? commandOf(one, login) : null;
  const isOwn = one.author.login === login;
  if (mention !== 'begins' && command === null && !(hasThread && isRequest))
    return mention === 'inside' && !isOwn ? { kind: 'noted', reason: 'name_inside' } : null;
  if (isOwn) return { kind: 'noted', reason: 'own_words' };
  if (command) return { kind: 'command', command };
  // A command before the first run is for no one.
  if (!hasThread && commandOf(one, login)) return null;
  const asks = one.asks && (!isRequest || one.lines.length > 0 || !isNod(one.text));
  return asks ? { kind: 'run' } : { kind: 'noted', reason: 'asks_nothing' };
}

/** Returns the command of a comment, also behind the name of the account. */
export function commandOf({ text }: Pick<ForgeComment, 'text'>, login: string): Command | null {
  return commandIn(text) ?? commandIn(withoutName(text, login));
}
