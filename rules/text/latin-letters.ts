/** Each Cyrillic letter with its Latin ones. */
const letterPairs = 'аa бb вv гg дd еe ёe жzh зz иi йy кk лl мm нn оo пp рr сs тt уu фf хh цts чch шsh щsch ъ ыy ь эe юyu яya'.split(' ');
const latin = new Map(letterPairs.map((pair) => [pair.charAt(0), pair.slice(1)]));

/** Returns a text as a name for addresses: small Latin letters, figures and hyphens. Empty for a text without any of them. */
export function latinName(text: string): string {
  const letters = [...text.toLowerCase()].map((letter) => latin.get(letter) ?? letter).join('');
  return letters.replace(/[^a-z0-9]+/g, '-').replace(/^-|-$/g, '');
}
