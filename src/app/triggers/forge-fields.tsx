import { CheckList } from '../../ui/controls/fields/check-list.tsx';
import { FormSelect, FormText } from '../../ui/form/form-fields.tsx';
import { useTranslation } from '../../ui/i18n/use-translation.ts';
import type { DraftPartProps } from './schedule-fields.tsx';
import styles from './triggers.module.css';

const minutes = ['1', '2', '5', '10'] as const;
/** What starts runs beside the label. */
const also = ['takesMentions', 'repairs', 'showsOthers'] as const;

/** Which events of the project's repository start runs. L4.07 */
export function ForgeFields({ form }: DraftPartProps) {
  const { t } = useTranslation('triggers');
  const { everyMinutes, ...draft } = form.watch();
  const offered = minutes.some((one) => one === everyMinutes) ? minutes : [...minutes, everyMinutes];
  return (
    <>
      <div className={styles.pair}>
        <FormText
          {...{ form, name: 'label', maxLength: 50 }}
          label={t('forge.label')}
          hint={t('forge.labelHint')}
          error={t('forge.labelWrong')}
        />
        <FormSelect
          {...{ form, name: 'everyMinutes' }}
          label={t('forge.every')}
          hint={t('forge.everyHint')}
          options={offered.map((value) => ({ value, label: t('schedule.minutes', { count: Number(value) }) }))}
        />
      </div>
      <CheckList
        legend={t('forge.also')}
        options={also.map((value) => ({ value, label: t(`forge.${value}`), text: t(`forge.${value}Hint`) }))}
        chosen={also.filter((name) => draft[name])}
        onToggle={(name, isOn) => form.setValue(name, isOn)}
      />
      <p className={styles.note}>{t('forge.whoMay')}</p>
    </>
  );
}
