import { safePath } from '../../files/index.ts';

const maxNameLength = 60;

/** Returns a name that every system takes as one folder or file, with the end of an id, which makes it unique. */
export function entryName(text: string, id: string): string {
  const name = plainName(text);
  return name === '' ? tailOf(id) : `${name}-${tailOf(id)}`;
}

/** Returns the path of a file in an export. Paths are stored safe; one that is not so is replaced by a plain name. */
export function entryPath(path: string): string {
  const safe = safePath(path);
  return safe.ok ? safe.path : plainName(path) || 'file';
}

/** The part of an id that differs most: its beginning is a time. */
function tailOf(id: string): string {
  return id.slice(-12);
}

function plainName(text: string): string {
  const name = text
    .normalize('NFC')
    .toWellFormed()
    .replace(/[^\p{L}\p{N}_. -]/gu, '_')
    .replace(/\s+/g, ' ');
  const signs = [...name].slice(0, maxNameLength);
  // Windows drops dots and spaces at the end of a name, and others hide a name that begins with a dot.
  const isInner = (sign: string) => sign !== '.' && sign !== ' ';
  return signs.slice(Math.max(0, signs.findIndex(isInner)), signs.findLastIndex(isInner) + 1).join('');
}
