import { storableText } from '../../../platform/database/storable-text.ts';

/** What is kept of a log: its beginning and its end (UTF-16 units). */
const maxHead = 256 * 1024;
const maxTail = 768 * 1024;

/** Collects a log of any length in bounded memory: of a long one the middle is left out. */
export function createTestLog(leftOut: (characters: number) => string) {
  let head = '';
  let tail: string[] = [];
  let tailLength = 0;
  let length = 0;

  const keepEnd = () => {
    const text = tail.join('');
    tail = [text.slice(-maxTail)];
    tailLength = tail[0]?.length ?? 0;
  };

  return {
    add(text: string) {
      length += text.length;
      const room = maxHead - head.length;
      head += text.slice(0, room);
      const rest = text.slice(room);
      if (rest === '') return;
      tail.push(rest);
      tailLength += rest.length;
      if (tailLength > 2 * maxTail) keepEnd();
    },
    /** Returns what is kept, as a database can store it. */
    text(): string {
      if (tailLength > maxTail) keepEnd();
      const missing = length - head.length - tailLength;
      const whole = missing > 0 ? `${head}\n${leftOut(missing)}\n${tail.join('')}` : head + tail.join('');
      return storableText(whole);
    },
  };
}
