/** Letters of Russian by their frequency; the last ones are those of Ukrainian and Belarusian. */
const frequent = new Set('оеаинтсрвл');
const usual = new Set('кмдпуяыьгзбчйхжші');
const rare = new Set('юцщэфъёїєґў');
const vowels = new Set('аеёиоуыэюяіїє');
const western = new Set('äöüßéèêëàâçñáíóúîïôùûåæøœìòãõ');
const typography = new Set('¿¡«»—–“”„‘’‚…№©®°€§·•±½\u00a0');

type Kind = 'cyrillic' | 'latin' | 'other';

/**
 * Returns how probable it is that a text was decoded by the right encoding: the mean over its characters above ASCII, from -3 to 1. Words of one
 * alphabet with frequent letters count for it; symbols, mixed alphabets and capitals within a word count against it.
 */
export function scoreReading(text: string): number {
  let total = 0;
  let count = 0;
  const characters = [...text];
  for (const [at, character] of characters.entries()) {
    if (character < '\u0080') continue;
    count += 1;
    total += scoreOf(character, characters[at - 1] ?? ' ', characters[at + 1] ?? ' ');
  }
  return count === 0 ? 0 : total / count;
}

function scoreOf(character: string, before: string, after: string): number {
  const kind = kindOf(character);
  if (kind === 'other') {
    if (typography.has(character)) return 0.2;
    return /[\p{Cc}\p{Co}\p{Cn}\ufffd]/u.test(character) ? -3 : -1;
  }
  const foreign: Kind = kind === 'cyrillic' ? 'latin' : 'cyrillic';
  if (kindOf(before) === foreign || kindOf(after) === foreign) return -1.5;
  const isCapital = character !== character.toLowerCase();
  if (isCapital && kindOf(before) === kind && before === before.toLowerCase()) return -1.5;
  const isAlone = kindOf(before) !== kind && kindOf(after) !== kind;
  if (isAlone) return 0.2;
  // Words of accents alone are another alphabet.
  if (kind === 'latin' && isAccented(before) && isAccented(after)) return -1;
  if (kind === 'latin') return latinWeightOf(character.toLowerCase()) - (isCapital ? 0.1 : 0);
  return weightOf(character.toLowerCase()) * (isCapital ? 0.95 : 1) + alternation(before.toLowerCase(), character.toLowerCase());
}

function kindOf(character: string): Kind {
  if (/[\u0400-\u04ff]/.test(character)) return 'cyrillic';
  return /[A-Za-zÀ-ÖØ-öø-ž]/.test(character) ? 'latin' : 'other';
}

function isAccented(character: string): boolean {
  return character > '\u007f' && kindOf(character) === 'latin';
}

/** Most letters of the East are in no other reading; the rest of Latin-1 is in many wrong ones. */
function latinWeightOf(letter: string): number {
  if (western.has(letter)) return 0.7;
  return letter > '\u00ff' || letter === 'ý' ? 0.5 : 0.1;
}

/** Vowels and consonants mostly take turns; in a wrong reading they do not. */
function alternation(before: string, letter: string): number {
  if (kindOf(before) !== 'cyrillic') return 0;
  return vowels.has(before) === vowels.has(letter) ? -0.2 : 0.1;
}

function weightOf(letter: string): number {
  if (frequent.has(letter)) return 1;
  if (usual.has(letter)) return 0.8;
  return rare.has(letter) ? 0.5 : -0.5;
}

/**
 * The same for text in GBK, by its bytes: the characters of everyday Chinese are in the rows B0 to D7, and what only looks like Chinese is
 * mostly elsewhere. Null when the bytes are no pairs.
 */
export function scoreChinese(bytes: Uint8Array): number | null {
  let total = 0;
  let count = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    const lead = bytes[at] as number;
    if (lead < 0x80) continue;
    const trail = bytes[at + 1] ?? 0;
    if (lead === 0x80 || lead === 0xff || trail < 0x40 || trail === 0x7f || trail === 0xff) return null;
    count += 1;
    if (trail < 0xa1) total -= 0.5;
    else if (lead >= 0xb0 && lead <= 0xd7) total += 0.75;
    else if (lead >= 0xa1 && lead <= 0xa3) total += 0.3;
    else total += lead >= 0xd8 && lead <= 0xf7 ? 0.1 : -1;
    at += 1;
  }
  return count === 0 ? null : total / count;
}
