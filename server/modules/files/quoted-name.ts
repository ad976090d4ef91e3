const escapes: Readonly<Record<number, string>> = {
  7: '\\a',
  8: '\\b',
  9: '\\t',
  10: '\\n',
  11: '\\v',
  12: '\\f',
  13: '\\r',
  34: '\\"',
  92: '\\\\',
};

/** Returns a name as git writes it: in quotes, with other bytes than plain characters in octal, where it has any. */
export function quotedName(name: string): string {
  if (/^[ !#-[\]-~]*$/.test(name)) return name;
  const written = [...Buffer.from(name)].map(
    (byte) => escapes[byte] ?? (byte >= 0x20 && byte <= 0x7e ? String.fromCharCode(byte) : `\\${byte.toString(8).padStart(3, '0')}`),
  );
  return `"${written.join('')}"`;
}
