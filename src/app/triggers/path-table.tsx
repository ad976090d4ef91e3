import { useId } from 'react';
import { useController } from 'react-hook-form';
import type { InputField, ReleasedTeam } from '../../../contract/released-team.ts';
import { TextField } from '../../ui/controls/fields/text-field.tsx';
import { errorOf } from '../../ui/form/use-zod-form.ts';
import { useTranslation } from '../../ui/i18n/use-translation.ts';
import { type Paths, pathOf } from './draft-kinds.ts';
import type { DraftPartProps } from './schedule-fields.tsx';
import { filledFields } from './trigger-draft.ts';
import styles from './triggers.module.css';

type PathTableProps = DraftPartProps & { team: ReleasedTeam | undefined; paths: Paths; note: 'paths.ofBody' | 'paths.ofEvent' };

/** Where the value of each field of the team stands in what comes in. L4.06 */
export function PathTable({ form, team, paths, note }: PathTableProps) {
  const { t } = useTranslation('triggers');
  const list = useId();
  const all = filledFields(team);
  if (all.length === 0) return null;
  const draft = form.watch();
  const offered = paths.offered(draft);
  return (
    <fieldset className={styles.table}>
      <legend>{t('paths.title')}</legend>
      <p className={styles.note}>{t(note)}</p>
      <div className={styles.pair}>
        {all.map((field) => (
          <PathField key={field.name} {...{ form, field, list, placeholder: offered[0], path: pathOf(paths, draft, field, all) }} />
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

type PathFieldProps = DraftPartProps & { field: InputField; path: string; list: string; placeholder: string | undefined };

function PathField({ form, field: { name, title, isOptional }, path, ...rest }: PathFieldProps) {
  const { t } = useTranslation('triggers');
  const { field } = useController({ control: form.control, name: `fields.${name}` });
  return (
    <TextField
      {...{ ...rest, ...field, value: path, maxLength: 200, spellCheck: false, autoCapitalize: 'none', className: styles.mono }}
      label={`${title || name}${isOptional ? ` ${t('words:optional')}` : ''}`}
      error={errorOf(form, field.name, t('paths.wrong'))}
    />
  );
}
