const opening = '<script>';
const closing = '</script>';

/** Returns the contents of a page's script elements without attributes. */
export function inlineScripts(page: string): string[] {
  const scripts: string[] = [];
  let start = page.indexOf(opening);
  while (start >= 0) {
    const end = page.indexOf(closing, start + opening.length);
    if (end < 0) break;
    scripts.push(page.slice(start + opening.length, end));
    start = page.indexOf(opening, end + closing.length);
  }
  return scripts;
}
