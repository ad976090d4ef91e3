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

/** What a name may be marked with, in Markdown or in a sentence. */
const before = /^[\s*_~(["'“«‘,:;-]*/u;
/** What a name goes on with: it would be another one. */
const nameGoesOn = /^[./]?[\p{L}\p{N}_-]/u;

/**
 * Says where a comment names an account: it begins with the name, as `@artel-bot please`, `**@artel-bot**` or `@artel-bot. Please`, or has it inside a
 * sentence. Null for none: quotes and code name no one. Quoted lines before the words are left out.
 */
export function mentionIn(text: string, login: string): 'begins' | 'inside' | null {
  if (login === '') return null;
  const own = withoutQuotes(text);
  if (restAfterName(own.replace(before, ''), login) !== null) return 'begins';
  const parts = own.replace(/```[^`]*```|~~~[^~]*~~~|`[^`\n]*`/g, ' ').split('@');
  const isName = (part: string, at: number) => !/[\p{L}\p{N}_./-]$/u.test(parts[at] ?? '') && restAfterName(`@${part}`, login) !== null;
  return parts.slice(1).some(isName) ? 'inside' : null;
}

/** Returns the words of a comment without the name of the account that it begins with. */
export function withoutName(text: string, login: string): string {
  const rest = login === '' ? null : restAfterName(withoutQuotes(text).replace(before, ''), login);
  return rest === null ? text : rest.replace(/^[\s*_~)\]"'”»’,:;.!?-]*/u, '');
}

/** Returns what stands behind the name at the beginning of a text; null where it begins with none, or with a longer one. */
function restAfterName(text: string, login: string): string | null {
  const rest = text.slice(login.length + 1);
  const isNamed = text.slice(0, login.length + 1).toLowerCase() === `@${login.toLowerCase()}`;
  return isNamed && !nameGoesOn.test(rest) ? rest : null;
}

/** Returns a text without the quoted and empty lines that it begins with. */
function withoutQuotes(text: string): string {
  const lines = text.split('\n');
  const first = lines.findIndex((line) => line.trim() !== '' && !/^\s{0,3}>/.test(line));
  return first < 0 ? '' : lines.slice(first).join('\n');
}

/** Whether a text only nods, as `+1`, `LGTM` and signs without words do: it asks for nothing. */
export function isNod(text: string): boolean {
  const rest = text.replace(/:[a-z0-9_+-]{1,50}:|(?<![\p{L}\p{N}])(?:lgtm|\+1|-1)(?![\p{L}\p{N}])/giu, '');
  return !/[\p{L}\p{N}?]/u.test(rest);
}
