/** What a comment asks the server for. */
export type Command =
  | { name: 'stop' | 'status' }
  | { name: 'answer'; text: string }
  /** `micros`: millionths of the currency; null for a figure that is none. */
  | { name: 'budget'; micros: number | null };

const longestFigure = 12;

/** Reads the command at the beginning of a comment; null for none: `/budget 2.50`, `/stop`, `/status`, `/answer ...`. */
export function commandIn(text: string): Command | null {
  const [, name, rest = ''] = /^\/(budget|stop|status|answer)(?:\s+(.*))?$/s.exec(text.trim()) ?? [];
  if (name === 'stop' || name === 'status') return { name };
  if (name === 'answer') return { name, text: rest.trim() };
  return name === 'budget' ? { name, micros: microsOf(rest.trim()) } : null;
}

function microsOf(figure: string): number | null {
  const isFigure = figure.length <= longestFigure && /^\d+(?:[.,]\d{1,6})?$/.test(figure);
  const micros = isFigure ? Math.round(Number(figure.replace(',', '.')) * 1_000_000) : 0;
  return micros > 0 && micros <= 1_000_000_000_000_000 ? micros : null;
}

/** Whether a comment begins with the name of an account: `@artel-bot please`. */
export function isMention(text: string, login: string): boolean {
  const [first = ''] = text.trimStart().split(/[\s,:;!?]/, 1);
  return login !== '' && first.toLowerCase() === `@${login.toLowerCase()}`;
}
