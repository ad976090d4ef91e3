import type { ExecutionFile } from '../../../../../contract/executions/file.ts';
import { useTranslation } from '../../../../ui/i18n/use-translation.ts';
import styles from './files.module.css';

export type ChangeOfFile = Pick<ExecutionFile, 'change' | 'from' | 'similarity' | 'executable' | 'isBinary'>;

/** Whether the words “new” and “changed” say all of it. Only other changes load their texts. */
export function isPlainChange({ change, executable, isBinary }: ChangeOfFile): boolean {
  return (change === 'added' || change === 'changed') && executable === null && !isBinary;
}

const letters = { added: 'A', changed: 'M', removed: 'D', renamed: 'R' } as const;

/** The letter of a file's change, as Git has it, with a word for screen readers and the pointer. */
export function ChangeMark({ change }: { change: ChangeOfFile }) {
  const { t } = useTranslation('console');
  return isPlainChange(change) ? (
    <Mark change={change} text={t(change.change === 'added' ? 'files.added' : 'files.changed')} />
  ) : (
    <FullMark change={change} />
  );
}

function FullMark({ change }: { change: ChangeOfFile }) {
  return <Mark change={change} text={useChangeText(change)} />;
}

function Mark({ change: { change, executable }, text }: { change: ChangeOfFile; text: string }) {
  return (
    <span className={styles.mark} data-change={change}>
      <span aria-hidden title={text}>
        {executable === null ? '' : executable ? '+x ' : '−x '}
        {letters[change]}
      </span>
      <span className="visually-hidden">{text}</span>
    </span>
  );
}

/** What happened to a file, in words: both paths, its mode, and whether it is text. */
export function ChangeText({ change }: { change: ChangeOfFile }) {
  return <span className={styles.changeText}>{useChangeText(change)}</span>;
}

function useChangeText({ change, from, similarity, executable, isBinary }: ChangeOfFile): string {
  const { t } = useTranslation('console');
  const { t: more } = useTranslation('inputs');
  const name =
    change === 'added' || change === 'changed'
      ? t(`files.${change}`)
      : change === 'removed'
        ? more('changes.removed')
        : more('changes.renamed', { from: from ?? '' });
  return [
    name,
    ...(similarity === null ? [] : [more('changes.similarity', { percent: similarity })]),
    ...(executable === null ? [] : [more(executable ? 'changes.executable' : 'changes.notExecutable')]),
    ...(isBinary ? [more('changes.binary')] : []),
  ].join(', ');
}
