import type { CodePart } from './colour-code.ts';
import styles from './files.module.css';

/** Coloured parts of a line. An invisible character is shown as its number. */
export function CodeParts({ parts }: { parts: readonly CodePart[] }) {
  return parts.map(({ kind, text }, index) => {
    const key = `${index}`;
    if (kind === 'plain') return <span key={key}>{text}</span>;
    return (
      <span key={key} className={styles[kind === 'number' ? 'figure' : kind]}>
        {kind === 'hidden' ? `U+${(text.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}` : text}
      </span>
    );
  });
}
