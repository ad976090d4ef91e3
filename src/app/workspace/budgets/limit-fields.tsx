import { FormSelect, FormText } from '../../../ui/form/form-fields.tsx';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import type { BudgetField, Wrong } from './budget-figures.ts';
import styles from './budgets.module.css';
import type { BudgetFields } from './use-budget-draft.ts';

type Props = {
  form: BudgetFields;
  currencies: readonly string[];
  /** What has used its budget up ends always: nothing is asked. */
  endsAtLimit?: boolean | undefined;
};

/** The limits of a budget as fields: money, tokens, calls and minutes, each of which may be left empty. */
export function LimitFields({ form, currencies, endsAtLimit = false }: Props) {
  const { t } = useTranslation('budgets');
  const field = (name: BudgetField) => (
    <FormText
      {...{ form, name, inputMode: 'decimal', autoComplete: 'off', maxLength: 24 }}
      label={t(name)}
      error={(code) => t(code as Wrong)}
      // One limit is enough, whichever it is.
      onEdit={() => form.formState.submitCount > 0 && void form.trigger()}
    />
  );
  return (
    <div className={styles.fields}>
      {field('money')}
      <FormSelect
        {...{ form, name: 'currency' }}
        label={t('currency')}
        options={(currencies.length > 0 ? currencies : [form.watch('currency')]).map((value) => ({ value, label: value }))}
      />
      {field('tokens')}
      {field('calls')}
      {field('minutes')}
      {field('warnAt')}
      {!endsAtLimit && (
        <FormSelect
          {...{ form, name: 'atLimit' }}
          label={t('atLimit')}
          options={(['ask', 'stop'] as const).map((value) => ({ value, label: t(value) }))}
        />
      )}
    </div>
  );
}
