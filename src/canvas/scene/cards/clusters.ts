/** Scripts whose letters can be set one by one. In all others letters join or reorder, and a word stays whole. */
const simple =
  /^[\s\u0021-\u02FF\u0370-\u052F\u1E00-\u1FFF\u2010-\u206F\u20A0-\u20CF\u2100-\u214F\u2190-\u22FF\u2500-\u25FF\u3000-\u30FF\u4E00-\u9FFF\uFF00-\uFFEF]*$/u;
const pictograph = /\p{Extended_Pictographic}/u;
/** Signs such as © and ↔ count as pictographs, but are letters without a colour selector. */
const lastPlainSign = 0x25ff;

let segmenter: Intl.Segmenter | null = null;

/** The smallest parts of a text that can be drawn on their own and set side by side. */
export function clusters(text: string): string[] {
  // In these scripts every letter is one UTF-16 unit.
  if (isPlain(text) || simple.test(text)) return text.split('');
  segmenter ??= new Intl.Segmenter(undefined, { granularity: 'grapheme' });
  return text.split(/( )/u).flatMap((word) => wordClusters(word, segmenter as Intl.Segmenter));
}

/** Whether all letters are Latin, Greek or Cyrillic. Most texts are, and this test is faster than the expression. */
function isPlain(text: string): boolean {
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code < 0x20 || code > 0x52f || (code > 0x2ff && code < 0x370)) return false;
  }
  return true;
}

function wordClusters(word: string, split: Intl.Segmenter): string[] {
  const parts = Array.from(split.segment(word), (part) => part.segment);
  return parts.every((part) => simple.test(part) || isColoured(part)) ? parts : [word];
}

/** Returns whether the part has its own colours, such as an emoji. */
export function isColoured(part: string): boolean {
  return pictograph.test(part) && (part.length > 1 || (part.codePointAt(0) ?? 0) > lastPlainSign);
}
