import type { ReleasedTeam } from '../../../contract/released-team.ts';
import { useTranslation } from '../../ui/i18n/use-translation.ts';
import { TeamValue } from '../released-teams/team-value.tsx';
import type { DraftPartProps } from './schedule-fields.tsx';
import { filledFields } from './trigger-draft.ts';
import styles from './triggers.module.css';

/** The values of the team's fields, the same in each run. */
export function TeamValues({ form, team }: DraftPartProps & { team: ReleasedTeam | undefined }) {
  const { t } = useTranslation('triggers');
  const all = filledFields(team);
  if (all.length === 0) return null;
  return (
    <fieldset className={styles.table}>
      <legend>{t('values.title')}</legend>
      <p className={styles.note}>{t('values.hint')}</p>
      {all.map((field) => (
        <TeamValue
          key={field.name}
          {...{ form, field, name: `input.${field.name}`, maxLength: 20_000 }}
          error={t(`values.wrong.${field.kind}`)}
        />
      ))}
    </fieldset>
  );
}
