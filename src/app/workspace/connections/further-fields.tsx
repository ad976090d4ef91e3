import { connectionLimits } from '../../../../contract/model-connection.ts';
import { Button } from '../../../ui/controls/buttons/button.tsx';
import { IconButton } from '../../../ui/controls/buttons/icon-button.tsx';
import { TextArea } from '../../../ui/controls/fields/text-area.tsx';
import { TextField } from '../../../ui/controls/fields/text-field.tsx';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import { Plus, X } from '../../../ui/icons/icons.ts';
import type { ConnectionDraft, HeaderDraft } from './connection-draft.ts';
import styles from './connections.module.css';

type FurtherFieldsProps = {
  draft: ConnectionDraft;
  headersProblem: string | undefined;
  bodyProblem: string | undefined;
  change: (changes: Partial<ConnectionDraft>) => void;
};

/** Headers and further fields of each call, for gateways and servers with settings of their own. */
export function FurtherFields({ draft: { headers, extraBody }, headersProblem, bodyProblem, change }: FurtherFieldsProps) {
  const { t } = useTranslation('connections');
  const set = (at: number, changes: Partial<HeaderDraft>) =>
    change({ headers: headers.map((header, place) => (place === at ? { ...header, ...changes } : header)) });
  const common = { size: 's', autoComplete: 'off', spellCheck: false, labelHidden: true } as const;
  return (
    <details className={styles.more} open={headersProblem !== undefined || bodyProblem !== undefined || undefined}>
      <summary>{t('form.more')}</summary>
      <fieldset className={styles.headers}>
        <legend>{t('form.headers')}</legend>
        <p className={styles.hint}>{t('form.headersAbout')}</p>
        {headers.map(({ name, value, isStored }, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two headers may have one name while they are typed
          <div key={at} className={styles.header}>
            <TextField
              {...common}
              label={t('form.headerName', { number: at + 1 })}
              placeholder={t('form.headerExample')}
              value={name}
              maxLength={64}
              onChange={(event) => set(at, { name: event.target.value, isStored: false })}
            />
            <TextField
              {...common}
              type="password"
              label={t('form.headerValue', { number: at + 1 })}
              placeholder={isStored ? t('form.headerKept') : ''}
              value={value}
              maxLength={connectionLimits.headerLength}
              onChange={(event) => set(at, { value: event.target.value })}
            />
            <IconButton
              label={t('form.headerRemove', { number: at + 1 })}
              size={32}
              icon={<X size={15} />}
              onClick={() => change({ headers: headers.filter((_, place) => place !== at) })}
            />
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
          disabled={headers.length >= connectionLimits.headers}
          onClick={() => change({ headers: [...headers, { name: '', value: '', isStored: false }] })}
        >
          {t('form.headerAdd')}
        </Button>
      </fieldset>
      <TextArea
        label={t('form.body')}
        hint={t('form.bodyHint')}
        error={bodyProblem}
        rows={4}
        mono
        spellCheck={false}
        value={extraBody}
        maxLength={connectionLimits.extraBodyLength}
        onChange={(event) => change({ extraBody: event.target.value })}
      />
    </details>
  );
}
