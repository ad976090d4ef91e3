import { useId } from 'react';
import { useFieldArray } from 'react-hook-form';
import { eventPath, webhookSchemes } from '../../../contract/trigger.ts';
import { Button } from '../../ui/controls/buttons/button.tsx';
import { IconButton } from '../../ui/controls/buttons/icon-button.tsx';
import { FormSelect, FormText } from '../../ui/form/form-fields.tsx';
import { useTranslation } from '../../ui/i18n/use-translation.ts';
import { Plus, Trash2 } from '../../ui/icons/icons.ts';
import type { DraftPartProps } from './schedule-fields.tsx';
import styles from './triggers.module.css';
import { pathsOf } from './webhook-example.ts';

/** The server takes as many. */
const maxRules = 8;

/** Who sends, and which bodies start a run. L4.06 */
export function WebhookFields({ form, isNew }: DraftPartProps & { isNew: boolean }) {
  const { t } = useTranslation('triggers');
  const scheme = form.watch('scheme');
  const { fields, append, remove } = useFieldArray({ control: form.control, name: 'filter' });
  const list = useId();
  return (
    <>
      <FormSelect
        {...{ form, name: 'scheme', disabled: !isNew }}
        label={t('webhook.scheme')}
        hint={t(isNew ? `webhook.schemeHint.${scheme}` : 'webhook.schemeFixed')}
        options={webhookSchemes.map((value) => ({ value, label: t(`webhook.schemes.${value}`) }))}
      />
      <fieldset className={styles.table}>
        <legend>{t('filter.title')}</legend>
        <p className={styles.note}>{t('filter.hint')}</p>
        {fields.map(({ id }, at) => (
          <fieldset key={id} className={styles.rule} aria-label={t('filter.rule', { number: at + 1 })}>
            <FormText
              {...{ form, name: `filter.${at}.path`, list, maxLength: 200, spellCheck: false, autoCapitalize: 'none' }}
              label={t('filter.path')}
              placeholder={t('filter.example')}
              className={styles.mono}
              error={t('filter.pathWrong')}
            />
            <FormSelect
              {...{ form, name: `filter.${at}.is` }}
              label={t('filter.is')}
              options={(['equal', 'different', 'containing'] as const).map((one) => ({ value: one, label: t(`filter.kinds.${one}`) }))}
            />
            <FormText {...{ form, name: `filter.${at}.value`, maxLength: 500 }} label={t('words:value')} />
            <IconButton label={t('filter.remove', { number: at + 1 })} icon={<Trash2 size={16} />} onClick={() => remove(at)} />
          </fieldset>
        ))}
        <datalist id={list}>
          {[eventPath, ...pathsOf(scheme)].map((path) => (
            <option key={path} value={path} />
          ))}
        </datalist>
        {fields.length < maxRules && (
          <div>
            <Button
              size="s"
              icon={<Plus size={15} aria-hidden />}
              onClick={() => append({ path: '', is: 'equal', value: '' }, { shouldFocus: false })}
            >
              {t('filter.add')}
            </Button>
          </div>
        )}
      </fieldset>
    </>
  );
}
