import { Select } from '../../../ui/controls/fields/select.tsx';
import { TextField } from '../../../ui/controls/fields/text-field.tsx';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import type { BudgetDraft, BudgetField } from './budget-figures.ts';
import styles from './budgets.module.css';

type Props = {
  draft: BudgetDraft;
  currencies: readonly string[];
  /** What is wrong with a field. */
  errorOf: (field: BudgetField) => string | undefined;
  onType: (field: keyof BudgetDraft, value: string) => void;
  /** What has used its budget up ends always: nothing is asked. */
  endsAtLimit?: boolean | undefined;
};

/** The limits of a budget as fields: money, tokens, calls and minutes, each of which may be left empty. */
export function LimitFields({ draft, currencies, errorOf, onType, endsAtLimit = false }: Props) {
  const { t } = useTranslation('budgets');
  const field = (name: BudgetField, label: string) => (
    <TextField
      name={name}
      label={label}
      inputMode="decimal"
      autoComplete="off"
      value={draft[name]}
      maxLength={24}
      error={errorOf(name)}
      onChange={(event) => onType(name, event.target.value)}
    />
  );
  return (
    <div className={styles.fields}>
      {field('money', t('money'))}
      <Select
        label={t('currency')}
        value={draft.currency}
        options={(currencies.length > 0 ? currencies : [draft.currency]).map((value) => ({ value, label: value }))}
        onChange={(value) => onType('currency', value)}
      />
      {field('tokens', t('tokens'))}
      {field('calls', t('calls'))}
      {field('minutes', t('minutes'))}
      {field('warnAt', t('warnAt'))}
      {!endsAtLimit && (
        <Select
          label={t('atLimit')}
          value={draft.atLimit}
          options={(['ask', 'stop'] as const).map((value) => ({ value, label: t(value) }))}
          onChange={(value) => onType('atLimit', value)}
        />
      )}
    </div>
  );
}
