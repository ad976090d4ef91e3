/** A window that a refusal tells (tokens), and what the refused prompt needed; null where it does not say. */
type ToldWindow = { window: number; needed: number | null };

/** What servers write before the window, or behind it: OpenAI and those like it, Anthropic, Google, llama.cpp, xAI. */
const phrases = [
  'maximum context length',
  'max context length',
  'maximum model length',
  'max model length',
  'maximum allowed context length',
  'maximum context window',
  'max context window',
  'maximum context size',
  'available context size',
  'tokens > ',
  'maximum number of tokens allowed',
  'maximum prompt length',
];

/** The characters between the words and the number. */
const maxBetween = 24;
/** The part of a refusal that is read (UTF-16 units). */
const maxRead = 4_096;
/** Numbers below are no window. */
const leastWindow = 256;

/** Reads the window from the body of a refusal; null where it tells none. */
export function toldWindow(responseBody: string): ToldWindow | null {
  const text = responseBody.slice(0, maxRead).toLowerCase();
  const numbers = [...text.matchAll(/\d[\d,]*/g)].map(({ 0: digits, index }) => ({
    from: index,
    to: index + digits.length,
    value: Number(digits.replaceAll(',', '')),
  }));
  for (const phrase of phrases) {
    const at = text.indexOf(phrase);
    if (at < 0) continue;
    const end = at + phrase.length;
    const window =
      numbers.find(({ from, value }) => from >= end && from - end <= maxBetween && value >= leastWindow) ??
      numbers.findLast(({ to, value }) => to <= at && at - to <= maxBetween && value >= leastWindow);
    if (!window) continue;
    const needed = numbers.find(({ value }) => value > window.value && value < 100 * window.value);
    return { window: window.value, needed: needed?.value ?? null };
  }
  return null;
}
