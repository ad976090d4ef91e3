/** Characters of an agent's title that the server keeps. */
const longest = 200;

/** The title of a copy: the same words with the next number that is free, 2 the first. */
export function copyTitle(title: string, taken: Iterable<string>): string {
  const titles = new Set(taken);
  const words = title.replace(/ \d+$/, '');
  for (let number = 2; ; number += 1) {
    const copy = `${words.slice(0, longest - String(number).length - 1)} ${number}`;
    if (!titles.has(copy)) return copy;
  }
}
