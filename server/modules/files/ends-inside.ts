/** Files of languages in which a whole file closes every bracket that it opens. */
const bracketed = /\.(?:[cm]?[jt]sx?|json|css|scss|less|java|kts?|c|h|cc|cpp|hpp|cs|go|rs|php|swift|dart|scala)$/i;

/**
 * Whether a text was cut off although its fence is closed: some models close the fence when their limit is reached. Its brackets are open, and its
 * last line is indented, as a whole file's last line is not. Other languages cannot be told.
 */
export function endsInside(path: string, content: string): boolean {
  if (!bracketed.test(path)) return false;
  const text = content.trimEnd();
  const lastLine = text.slice(text.lastIndexOf('\n') + 1);
  return (lastLine.startsWith(' ') || lastLine.startsWith('\t')) && openBrackets(text) > 0;
}

/** Counts the brackets that are not closed, outside of texts and comments. */
function openBrackets(text: string): number {
  let open = 0;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at] ?? '';
    if ('([{'.includes(character)) open += 1;
    else if (')]}'.includes(character)) open -= 1;
    else if (character === '"' || character === "'" || character === '`') at = endOfText(text, at, character);
    else if (character === '/' && text[at + 1] === '/') at = indexOr(text, '\n', at);
    else if (character === '/' && text[at + 1] === '*') at = indexOr(text, '*/', at + 2) + 1;
  }
  return open;
}

/** Returns the position of the closing mark. A text in simple marks ends with its line at the latest. */
function endOfText(text: string, start: number, mark: string): number {
  for (let at = start + 1; at < text.length; at += 1) {
    if (text[at] === '\\') at += 1;
    else if (text[at] === mark || (mark !== '`' && text[at] === '\n')) return at;
  }
  return text.length;
}

function indexOr(text: string, sought: string, from: number): number {
  const found = text.indexOf(sought, from);
  return found < 0 ? text.length : found;
}
