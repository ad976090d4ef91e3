import { useFieldArray } from 'react-hook-form';
import { connectionLimits } from '../../../../contract/model-connection.ts';
import { Button } from '../../../ui/controls/buttons/button.tsx';
import { IconButton } from '../../../ui/controls/buttons/icon-button.tsx';
import { FormText, FormTextArea } from '../../../ui/form/form-fields.tsx';
import { errorOf } from '../../../ui/form/use-zod-form.ts';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import { Plus, X } from '../../../ui/icons/icons.ts';
import type { ConnectionFormOf } from './connection-draft.ts';
import styles from './connections.module.css';

/** Headers and further fields of each call, for gateways and servers with settings of their own. */
export function FurtherFields({ form }: { form: ConnectionFormOf }) {
  const { t } = useTranslation('connections');
  const { fields, append, remove } = useFieldArray({ control: form.control, name: 'headers' });
  const headers = form.watch('headers');
  const headersProblem = errorOf(form, 'headers');
  const isWrong = headersProblem !== undefined || form.formState.errors.extraBody !== undefined;
  const common = { size: 's', autoComplete: 'off', spellCheck: false, labelHidden: true } as const;
  return (
    <details className={styles.more} open={isWrong || undefined}>
      <summary>{t('form.more')}</summary>
      <fieldset className={styles.headers}>
        <legend>{t('form.headers')}</legend>
        <p className={styles.hint}>{t('form.headersAbout')}</p>
        {fields.map(({ id }, at) => (
          <div key={id} className={styles.header}>
            <FormText
              {...{ form, ...common, name: `headers.${at}.name`, maxLength: 64 }}
              label={t('form.headerName', { number: at + 1 })}
              placeholder={t('form.headerExample')}
              onEdit={() => form.setValue(`headers.${at}.isStored`, false)}
            />
            <FormText
              {...{ form, ...common, name: `headers.${at}.value`, maxLength: connectionLimits.headerLength, type: 'password' }}
              label={t('form.headerValue', { number: at + 1 })}
              placeholder={headers[at]?.isStored ? t('form.headerKept') : ''}
            />
            <IconButton label={t('form.headerRemove', { number: at + 1 })} size={32} icon={<X size={15} />} onClick={() => remove(at)} />
          </div>
        ))}
        {headersProblem !== undefined && (
          <p role="alert" className={styles.danger}>
            {headersProblem}
          </p>
        )}
        <Button
          size="s"
          icon={<Plus size={14} aria-hidden />}
          disabled={fields.length >= connectionLimits.headers}
          onClick={() => append({ name: '', value: '', isStored: false })}
        >
          {t('form.headerAdd')}
        </Button>
      </fieldset>
      <FormTextArea
        {...{ form, name: 'extraBody', rows: 4, mono: true, spellCheck: false, maxLength: connectionLimits.extraBodyLength }}
        label={t('form.body')}
        hint={t('form.bodyHint')}
        error={t('form.bodyBad')}
      />
    </details>
  );
}
