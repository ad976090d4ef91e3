import type { DeadLetter } from '../../../contract/executions/dead-letter.ts';
import { Badge } from '../../ui/controls/badge.tsx';
import { Button } from '../../ui/controls/buttons/button.tsx';
import { useMomentText } from '../../ui/i18n/use-moment-text.ts';
import { useTranslation } from '../../ui/i18n/use-translation.ts';
import { RotateCw, Trash2 } from '../../ui/icons/icons.ts';
import staff from '../staff/staff-page.module.css';
import styles from './dead-letters.module.css';

type DeadLetterTableProps = {
  letters: readonly DeadLetter[];
  /** The letter that is being retried or removed. */
  busyId: string | null;
  onRetry: (letter: DeadLetter) => void;
  onRemove: (letter: DeadLetter) => void;
};

const columns = ['work', 'account', 'progress', 'died', 'action'] as const;

/** The dead letters as a table; on a phone each is a separate block. */
export function DeadLetterTable({ letters, busyId, onRetry, onRemove }: DeadLetterTableProps) {
  const { t } = useTranslation('dead-letters');
  const moment = useMomentText();
  return (
    <table className={`${staff.table} ${styles.letters}`}>
      <thead>
        <tr>
          {columns.map((column) => (
            <th key={column} scope="col">
              <span>{t(`column.${column}`)}</span>
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {letters.map((letter) => {
          const { id, kind, workId, email, projectName, stepsDone, stepsTotal, diedAt } = letter;
          const name = t(`kind.${kind}`);
          return (
            <tr key={id} data-testid="dead-letter">
              <td className={styles.work}>
                <strong>{name}</strong>
                {workId === null ? <span>{t('gone')}</span> : <code>{workId}</code>}
              </td>
              <td className={styles.account}>
                <span>{email ?? '—'}</span>
                <span>{projectName}</span>
              </td>
              <td>
                {workId === null ? (
                  <Badge>{t('state.gone')}</Badge>
                ) : (
                  <Badge tone="danger">
                    {stepsTotal === null ? t('state.failed') : t('state.steps', { done: stepsDone ?? 0, total: stepsTotal })}
                  </Badge>
                )}
              </td>
              <td>
                <time dateTime={diedAt}>{moment(diedAt)}</time>
              </td>
              <td>
                {workId === null ? (
                  <Button
                    size="xs"
                    variant="ghost"
                    icon={<Trash2 size={14} aria-hidden />}
                    busy={busyId === id}
                    aria-label={t('removeOf', { name })}
                    onClick={() => onRemove(letter)}
                  >
                    {t('words:remove')}
                  </Button>
                ) : (
                  <Button
                    size="xs"
                    icon={<RotateCw size={14} aria-hidden />}
                    busy={busyId === id}
                    aria-label={t('retryOf', { name, email: email ?? '' })}
                    onClick={() => onRetry(letter)}
                  >
                    {t('words:retry')}
                  </Button>
                )}
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}
