import { withEscapedHidden } from '../../../../rules/text/hidden-characters.ts';

/** Returns the arguments of a call with a line for each, and hidden characters by their numbers; unchanged if they are no JSON. */
export function readableArguments(args: string): string {
  try {
    return withEscapedHidden(JSON.stringify(JSON.parse(args), null, 2));
  } catch {
    return args;
  }
}

/** Whether a text is a JSON object. */
export function isJsonObject(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}
