import type { ConnectionModel } from '../../../../contract/model-connection.ts';
import { Button } from '../../../ui/controls/buttons/button.tsx';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import { TriangleAlert } from '../../../ui/icons/icons.ts';
import styles from './models.module.css';

type EndedNoteProps = { ended: NonNullable<ConnectionModel['ended']>; disabled: boolean; onInstead: (model: string) => void };

/** Says since when a provider serves a model no more, and offers what it names in its place. M3.26 */
export function EndedNote({ ended, disabled, onInstead }: EndedNoteProps) {
  const { t, language } = useTranslation('connections');
  const { instead } = ended;
  return (
    <p className={styles.ended} role="status" data-testid="ended-model">
      <TriangleAlert size={14} aria-hidden />
      <span>
        {endedText(ended, t, language)} {instead !== undefined && t('models.instead', { model: instead })}
      </span>
      {instead !== undefined && !disabled && (
        <Button size="xs" onClick={() => onInstead(instead)}>
          {t('models.takeInstead', { model: instead })}
        </Button>
      )}
    </p>
  );
}

function endedText({ on }: { on: string }, t: ReturnType<typeof useTranslation<'connections'>>['t'], language: string): string {
  const date = new Date(`${on.slice(0, 10)}T00:00:00Z`).toLocaleDateString(language, {
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    timeZone: 'UTC',
  });
  return t(on.slice(0, 10) <= new Date().toISOString().slice(0, 10) ? 'models.endedOn' : 'models.endingOn', { date });
}
