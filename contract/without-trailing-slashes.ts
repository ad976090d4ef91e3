/** The text without the slashes at its end. The expression `/\/+$/` would try each run of slashes anew from every place in it. */
export function withoutTrailingSlashes(text: string): string {
  let end = text.length;
  while (text[end - 1] === '/') end -= 1;
  return text.slice(0, end);
}
