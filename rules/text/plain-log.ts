/** What a terminal is told within a line: `rows` it moves up or down, or that the rest of the line takes the place of what stands there. */
const sequence =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
  /\u001b\[([0-9:;<=>?]*)[ -/]*([@-~])|\u001b[\]PX^_][^\u0007\u001b]*(?:\u0007|\u001b\\)?|\u001b[ -/]*[0-~]|[\r\b\u0000-\u0008\u000e-\u001f\u007f-\u009f]/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const control = /[\r\u0000-\u0008\u000e-\u001f\u007f-\u009f]/;
/** Frames of progress bars stand in so many lines at most. */
const maxMoved = 200;

/**
 * Returns a log as a person sees it in the end on a terminal, without what drew it: no colours, no links, no titles, and of the frames of a progress bar
 * the last one. A carriage return, and a move up, put what follows in the place of what stands there.
 *
 *     plainLog('\u001b[32mok\u001b[0m\n 10 %\r 100 %\n')  // 'ok\n 100 %\n'
 */
export function plainLog(log: string): string {
  if (!control.test(log)) return log;
  const rows: string[] = [];
  let row = 0;
  for (const line of log.split('\n')) {
    if (control.test(line)) row = drawLine(rows, row, line);
    else rows[row] = (rows[row] ?? '') === '' || line !== '' ? line : (rows[row] as string);
    row += 1;
  }
  return rows.join('\n');
}

/** Draws one line into its row, and where it moves to into others. Returns the row in which it ends. */
function drawLine(rows: string[], first: number, line: string): number {
  let row = first;
  /** The line so far. A backspace takes from the last piece: the whole line would be copied for each. */
  let pieces: string[] = [];
  let read = 0;
  const put = () => {
    const text = pieces.join('');
    if (text !== '' || rows[row] === undefined) rows[row] = text;
    pieces = [];
  };
  for (const found of line.matchAll(sequence)) {
    if (found.index > read) pieces.push(line.slice(read, found.index));
    read = found.index + found[0].length;
    const [whole, given = '', final = ''] = found;
    if (whole === '\b') eraseLast(pieces);
    if (whole === '\r' || (final === 'G' && given !== '' && Number(given) <= 1)) put();
    if (final === 'K' && given === '2') {
      pieces = [];
      rows[row] = '';
    }
    const moved = moves[final]?.(Math.min(Number.parseInt(given, 10) || 1, maxMoved)) ?? 0;
    if (moved === 0) continue;
    put();
    // A terminal does not move below its last line: a move adds one row at most.
    row = Math.min(Math.max(0, row + moved), rows.length);
  }
  pieces.push(line.slice(read));
  put();
  return row;
}

/** Takes the last character from pieces of a line, if their last one has any. */
function eraseLast(pieces: string[]): void {
  const last = pieces.pop() ?? '';
  const units = (last.codePointAt(last.length - 2) ?? 0) > 0xffff ? 2 : 1;
  if (last.length > units) pieces.push(last.slice(0, -units));
}

/** Moves of a terminal by rows: up and down, in the same column or at the begin of the line. */
const moves: Record<string, ((rows: number) => number) | undefined> = {
  A: (rows) => -rows,
  F: (rows) => -rows,
  B: (rows) => rows,
  E: (rows) => rows,
};
