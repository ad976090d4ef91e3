import { createHash } from 'node:crypto';

/** The form of ids that every server takes: Mistral wants nine letters and figures, Anthropic letters, figures, `_` and `-`, OpenAI at most forty. */
const portable = /^[a-zA-Z0-9]{9}$/;
export function isPortableId(id: string): boolean {
  return portable.test(id);
}

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const length = 9;

/**
 * Returns an id of a tool call in the form that every server takes. The same id gives the same one, so that a call and its result stay together and prompts begin
 * with the same text. `use`: how many calls before this one have the same id.
 */
export function portableId(id: string, use = 0): string {
  if (use === 0 && isPortableId(id)) return id;
  const hash = createHash('sha256').update(`${use} ${id}`).digest();
  let made = '';
  for (const byte of hash.subarray(0, length)) made += letters[byte % letters.length];
  return made;
}
