import { missedRules } from '../../../contract/trigger.ts';
import { Select } from '../../ui/controls/fields/select.tsx';
import { TextField } from '../../ui/controls/fields/text-field.tsx';
import { useTranslation } from '../../ui/i18n/use-translation.ts';
import type { DraftPartProps } from './schedule-fields.tsx';

/** What happens with instants that were missed. */
export function MissedFields({ draft, wrong, set }: DraftPartProps) {
  const { t } = useTranslation('triggers');
  return (
    <>
      <Select
        label={t('more.missed')}
        value={draft.missed}
        options={missedRules.map((value) => ({ value, label: t(`more.missedRules.${value}`) }))}
        onChange={(missed) => set({ missed })}
      />
      <TextField
        label={t('more.grace')}
        hint={t('more.graceHint')}
        value={draft.graceMinutes}
        inputMode="numeric"
        maxLength={6}
        error={wrong.has('graceSeconds') ? t('more.graceWrong') : undefined}
        onChange={({ target }) => set({ graceMinutes: target.value })}
      />
    </>
  );
}
