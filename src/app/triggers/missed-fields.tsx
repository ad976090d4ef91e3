import { missedRules } from '../../../contract/trigger.ts';
import { FormSelect, FormText } from '../../ui/form/form-fields.tsx';
import { useTranslation } from '../../ui/i18n/use-translation.ts';
import type { DraftPartProps } from './schedule-fields.tsx';

/** What happens with instants that were missed. */
export function MissedFields({ form }: DraftPartProps) {
  const { t } = useTranslation('triggers');
  return (
    <>
      <FormSelect
        {...{ form, name: 'missed' }}
        label={t('more.missed')}
        options={missedRules.map((value) => ({ value, label: t(`more.missedRules.${value}`) }))}
      />
      <FormText
        {...{ form, name: 'graceMinutes', inputMode: 'numeric', maxLength: 6 }}
        label={t('more.grace')}
        hint={t('more.graceHint')}
        error={t('more.graceWrong')}
      />
    </>
  );
}
