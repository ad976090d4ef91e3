const maxGroupLength = 4;

/** True for a text that is one group of at most four characters, written twice or more. */
export function isRepeated(text: string): boolean {
  const characters = [...text];
  for (let size = 1; size <= Math.min(maxGroupLength, characters.length / 2); size += 1) {
    if (characters.length % size === 0 && characters.every((character, at) => character === characters[at % size])) return true;
  }
  return false;
}
