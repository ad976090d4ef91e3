/** A piece of a text that grows: `content` follows the first `position` characters (UTF-16 units) of what was sent before. */
export type TextPiece = { position: number; content: string };

/**
 * The text once `piece` has come. A piece at position 0 begins the text anew. Returns null for a piece that does not continue `text`: some was
 * missed, and the whole has to come first.
 */
export function applyTextPiece(text: string, { position, content }: TextPiece): string | null {
  if (position === 0) return content;
  return position === text.length ? text + content : null;
}

/** One piece for two that came in this order: a reader of it has the same text as with both, or sees the same gap. */
export function mergeTextPieces(earlier: TextPiece, later: TextPiece): TextPiece {
  const continues = later.position > 0 && later.position === earlier.position + earlier.content.length;
  return continues ? { position: earlier.position, content: earlier.content + later.content } : later;
}
