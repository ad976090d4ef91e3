import { splitAtHidden } from '../../../../../rules/text/hidden-characters.ts';
import styles from './files.module.css';

/** A text of another side. An invisible character, or one that changes the direction of the text, is shown as its number. */
export function VisibleText({ text }: { text: string }) {
  return splitAtHidden(text).map((part, index) => {
    const key = `${index}`;
    if (!part.isHidden) return <span key={key}>{part.text}</span>;
    return (
      <span key={key} className={styles.hidden}>
        {hiddenName(part.text.codePointAt(0) ?? 0)}
      </span>
    );
  });
}

export function hiddenName(code: number): string {
  return `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
}
