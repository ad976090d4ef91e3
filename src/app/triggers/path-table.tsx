import { useId } from 'react';
import type { ReleasedTeam } from '../../../contract/released-team.ts';
import { TextField } from '../../ui/controls/fields/text-field.tsx';
import { useTranslation } from '../../ui/i18n/use-translation.ts';
import { type Paths, pathOf } from './draft-kinds.ts';
import type { DraftPartProps } from './schedule-fields.tsx';
import { filledFields } from './trigger-draft.ts';
import styles from './triggers.module.css';

type PathTableProps = DraftPartProps & { team: ReleasedTeam | undefined; paths: Paths; note: 'paths.ofBody' | 'paths.ofEvent' };

/** Where the value of each field of the team stands in what comes in. L4.06 */
export function PathTable({ draft, wrong, set, team, paths, note }: PathTableProps) {
  const { t } = useTranslation('triggers');
  const list = useId();
  const all = filledFields(team);
  if (all.length === 0) return null;
  const offered = paths.offered(draft);
  return (
    <fieldset className={styles.table}>
      <legend>{t('paths.title')}</legend>
      <p className={styles.note}>{t(note)}</p>
      <div className={styles.pair}>
        {all.map((field) => (
          <TextField
            key={field.name}
            label={`${field.title || field.name}${field.isOptional ? ` ${t('words:optional')}` : ''}`}
            value={pathOf(paths, draft, field, all)}
            list={list}
            placeholder={offered[0]}
            maxLength={200}
            spellCheck={false}
            autoCapitalize="none"
            className={styles.mono}
            error={wrong.has(`fields.${field.name}`) ? t('paths.wrong') : undefined}
            onChange={({ target }) => set({ fields: { ...draft.fields, [field.name]: target.value } })}
          />
        ))}
      </div>
      <datalist id={list}>
        {offered.map((path) => (
          <option key={path} value={path} />
        ))}
      </datalist>
    </fieldset>
  );
}
