import { wordDifferences } from '../../../model/versions/word-differences.ts';
import styles from './versions.module.css';

/** What is left of a long part that is the same in both texts, on each side where something differs (characters). */
const context = 80;

/** Two texts in one: removed words are struck through, added ones underlined. `isShort`: of what is the same only what is near them is shown. */
export function Words({ before, after, isShort = false }: { before: string; after: string; isShort?: boolean }) {
  const parts = wordDifferences(before, after);
  let at = 0;
  return (
    <span className={styles.words}>
      {parts.map(({ kind, text }) => {
        const key = at++;
        if (kind === 'same')
          return <span key={key}>{isShort ? nearOf(text, { isFirst: key === 0, isLast: key === parts.length - 1 }) : text}</span>;
        return kind === 'removed' ? (
          <del key={key} className={styles.removed}>
            {text}
          </del>
        ) : (
          <ins key={key} className={styles.added}>
            {text}
          </ins>
        );
      })}
    </span>
  );
}

/** The ends of a text that stand beside a difference. */
function nearOf(text: string, { isFirst, isLast }: { isFirst: boolean; isLast: boolean }): string {
  const [head, tail] = [isFirst ? 0 : context, isLast ? 0 : context];
  if (text.length <= head + tail + 1) return text;
  return `${text.slice(0, head)}…${text.slice(text.length - tail)}`;
}
