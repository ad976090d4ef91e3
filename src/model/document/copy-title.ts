/** The longest title of an agent on the server (characters). */
const maxLength = 200;

/** Returns the title of a copy: the same words with the next free number, starting with 2. */
export function copyTitle(title: string, taken: Iterable<string>): string {
  const titles = new Set(taken);
  const words = title.replace(/ \d+$/, '');
  for (let number = 2; ; number += 1) {
    const copy = `${words.slice(0, maxLength - String(number).length - 1)} ${number}`;
    if (!titles.has(copy)) return copy;
  }
}
