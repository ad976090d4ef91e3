/** A part of a growing text: `content` follows the first `position` characters (UTF-16 units) of the text. */
export type TextPiece = { position: number; content: string };

/**
 * Returns the text after `piece`. A piece at position 0 restarts the text. Returns null for a piece that does not continue `text`: a piece
 * was missed, and the whole text is needed.
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
