import type { PathRefusal } from '../../../contract/common.ts';
import { visibleName } from '../../../rules/text/hidden-characters.ts';

/** The limits: characters of a path, bytes of one name in it, and names in a path. */
const maxPathLength = 300;
const maxNameLength = 255;
const deepest = 30;
/** The longest path as an answer writes it, before it is normalised (characters). */
const maxWrittenLength = 4_096;

/**
 * Normalises a file's path to a name below any folder, or returns why it is refused. The result is relative, uses forward slashes and
 * leaves no folder. Every system can unpack it: no name is a device, a repository's own folder or an invisible character.
 */
export function safePath(raw: string): { ok: true; path: string } | { ok: false; reason: PathRefusal } {
  const refuse = (reason: PathRefusal) => ({ ok: false as const, reason });
  if (raw.length > maxWrittenLength) return refuse('path_too_long');
  const given = withoutQuotes(raw.trim()).trim().normalize('NFC').replaceAll('\\', '/');
  if (given.search(unspeakable) >= 0) return refuse('path_characters');
  if (/^(?:\/|[A-Za-z]:)/.test(given)) return refuse('path_absolute');
  const names = given.split('/').filter((name) => name !== '' && name !== '.');
  if (names.length === 0 || /(?:^|\/)\.?$/.test(given)) return refuse('path_empty');
  // A shell would expand it to a home folder.
  if (names[0] === '~') return refuse('path_absolute');
  if (names.includes('..')) return refuse('path_outside');
  if (names.some((name) => /[<>:"|?*]/.test(name) || name.trim() !== name)) return refuse('path_characters');
  if (names.some((name) => name.endsWith('.') || reserved.test(name))) return refuse('path_reserved');
  const path = names.join('/');
  if (withoutQuotes(path) !== path) return refuse('path_characters');
  const tooLong = path.length > maxPathLength || names.length > deepest || names.some((name) => Buffer.byteLength(name) > maxNameLength);
  return tooLong ? refuse('path_too_long') : { ok: true, path };
}

/** Returns a file's name as an answer, an archive or a repository has it, safe to be shown. */
export function shownPath(raw: string): string {
  return visibleName(raw.trim().slice(0, maxPathLength));
}

/** Control and format characters, half surrogate pairs, line separators. */
const unspeakable = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;
/** Device names of Windows, with any extension, and git's own folder, also by its short name. */
const reserved = /^(?:(?:con|prn|aux|nul|com[\d¹²³]|lpt[\d¹²³])(?:\..*)?|\.git|git~\d+)$/i;

function withoutQuotes(text: string): string {
  const [first = '', last = ''] = [text[0], text.at(-1)];
  return text.length >= 2 && first === last && '"\'`'.includes(first) ? text.slice(1, -1) : text;
}
