import { matchParts } from './match-parts.ts';

/** A text in which the words of a query are highlighted. `className`: of each found word. */
export function Marked({ text, query, className }: { text: string; query: string; className?: string }) {
  return matchParts(text, query).map((part) =>
    part.match ? (
      <mark key={part.at} className={className}>
        {part.text}
      </mark>
    ) : (
      part.text
    ),
  );
}
