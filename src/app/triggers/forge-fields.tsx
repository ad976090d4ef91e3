import { useId } from 'react';
import { Checkbox } from '../../ui/controls/fields/checkbox.tsx';
import { Select } from '../../ui/controls/fields/select.tsx';
import { TextField } from '../../ui/controls/fields/text-field.tsx';
import { useTranslation } from '../../ui/i18n/use-translation.ts';
import type { DraftPartProps } from './schedule-fields.tsx';
import styles from './triggers.module.css';

const minutes = ['1', '2', '5', '10'] as const;

/** Which events of the project's repository start runs. L4.07 */
export function ForgeFields({ draft, wrong, set }: DraftPartProps) {
  const { t } = useTranslation('triggers');
  const id = useId();
  const { label, everyMinutes } = draft;
  const offered = minutes.some((one) => one === everyMinutes) ? minutes : [...minutes, everyMinutes];
  return (
    <>
      <div className={styles.pair}>
        <TextField
          label={t('forge.label')}
          hint={t('forge.labelHint')}
          value={label}
          maxLength={50}
          error={wrong.has('label') ? t('forge.labelWrong') : undefined}
          onChange={({ target }) => set({ label: target.value })}
        />
        <Select
          label={t('forge.every')}
          hint={t('forge.everyHint')}
          value={everyMinutes}
          options={offered.map((value) => ({ value, label: t('schedule.minutes', { count: Number(value) }) }))}
          onChange={(value) => set({ everyMinutes: value })}
        />
      </div>
      <fieldset className={styles.choices}>
        <legend>{t('forge.also')}</legend>
        {(['takesMentions', 'repairs', 'showsOthers'] as const).map((name) => (
          <label key={name} htmlFor={`${id}-${name}`}>
            <Checkbox id={`${id}-${name}`} checked={draft[name]} onChange={({ target }) => set({ [name]: target.checked })} />
            <span>
              {t(`forge.${name}`)}
              <small>{t(`forge.${name}Hint`)}</small>
            </span>
          </label>
        ))}
      </fieldset>
      <p className={styles.note}>{t('forge.whoMay')}</p>
    </>
  );
}
