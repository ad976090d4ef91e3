import { CheckList } from '../../ui/controls/fields/check-list.tsx';
import { Select } from '../../ui/controls/fields/select.tsx';
import { TextField } from '../../ui/controls/fields/text-field.tsx';
import { useTranslation } from '../../ui/i18n/use-translation.ts';
import type { DraftPartProps } from './schedule-fields.tsx';
import styles from './triggers.module.css';

const minutes = ['1', '2', '5', '10'] as const;
/** What starts runs beside the label. */
const also = ['takesMentions', 'repairs', 'showsOthers'] as const;

/** Which events of the project's repository start runs. L4.07 */
export function ForgeFields({ draft, wrong, set }: DraftPartProps) {
  const { t } = useTranslation('triggers');
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
      <CheckList
        legend={t('forge.also')}
        options={also.map((value) => ({ value, label: t(`forge.${value}`), text: t(`forge.${value}Hint`) }))}
        chosen={also.filter((name) => draft[name])}
        onToggle={(name, isOn) => set({ [name]: isOn })}
      />
      <p className={styles.note}>{t('forge.whoMay')}</p>
    </>
  );
}
