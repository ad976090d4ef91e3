import type { ModelConnection } from '../../../../contract/model-connection.ts';
import { Button } from '../../../ui/controls/buttons/button.tsx';
import { FieldGrid, FormSelect, FormText } from '../../../ui/form/form-fields.tsx';
import { errorOf } from '../../../ui/form/use-zod-form.ts';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import { ModelPicker } from '../models/model-picker.tsx';
import { useModels } from '../models/use-models.ts';
import type { ConnectionFormOf } from './connection-draft.ts';
import styles from './connections.module.css';
import { foreignKey, providerFacts, providerOfKey } from './provider-facts.ts';

/** The fields of a connection that most providers need; which ones are shown follows from the provider. */
export function ConnectionInputs({ connection, form }: { connection: ModelConnection | null; form: ConnectionFormOf }) {
  const { t } = useTranslation('connections');
  const list = useModels(connection?.id ?? null);
  const { provider, apiKey, defaultModel } = form.watch();
  const facts = providerFacts[provider];
  const field = <Name extends 'name' | 'address' | 'folderId' | 'apiKey'>(name: Name) =>
    ({ form, name, size: 's', autoComplete: 'off', spellCheck: false }) as const;
  /** A provider that was chosen stays, whatever the key looks like. */
  const takeLikely = (key: string) => {
    const isChosen = connection !== null || provider !== (providerOfKey(apiKey) ?? form.formState.defaultValues?.provider);
    const likely = isChosen ? null : providerOfKey(key);
    if (likely !== null) form.setValue('provider', likely);
  };
  const keyHint = connection?.keyLast4
    ? t('form.keyKept', { last: connection.keyLast4 })
    : [
        facts.keyExample && t('form.keyLooks', { example: facts.keyExample }),
        facts.needsKey ? '' : t('form.keyOptional'),
        t('form.keySafe'),
      ]
        .filter(Boolean)
        .join(' · ');
  const foreign = foreignKey(provider, apiKey);
  return (
    <FieldGrid>
      <div className={styles.wide}>
        <FormText
          {...field('apiKey')}
          type="password"
          label={t('words:key')}
          aside={
            facts.keyPage && (
              <a href={facts.keyPage} target="_blank" rel="noreferrer" className={styles.link}>
                {t('form.keyPage')}
              </a>
            )
          }
          hint={keyHint}
          error={t('words:fieldRequired')}
          autoComplete="new-password"
          // The window is opened to paste a key.
          autoFocus={connection === null}
          required={facts.needsKey && connection === null}
          maxLength={4_000}
          onEdit={takeLikely}
        />
        {foreign !== null && (
          <p className={styles.foreign} role="status">
            {t('form.keyForeign', { provider: t(`agent.providers.${foreign}`) })}
            {connection === null && (
              <Button size="xs" onClick={() => form.setValue('provider', foreign, { shouldDirty: true })}>
                {t('form.keyUseForeign', { provider: t(`agent.providers.${foreign}`) })}
              </Button>
            )}
          </p>
        )}
      </div>
      <FormText
        {...field('address')}
        inputMode="url"
        label={t('words:address')}
        placeholder={facts.addressExample}
        hint={t(facts.address === 'must' ? 'form.addressHint' : 'form.addressOwn')}
        error={t('form.addressNeeded')}
        maxLength={2_000}
      />
      {facts.hasFolder && <FormText {...field('folderId')} label={t('folder')} hint={t('form.folderHint')} maxLength={100} />}
      <FormText {...field('name')} label={t('words:name')} placeholder={t(`agent.providers.${provider}`)} maxLength={60} />
      {connection === null ? (
        <FormSelect
          {...{ form, name: 'owner' }}
          label={t('form.scope')}
          options={[
            { value: 'user', label: t('form.scopeUser') },
            { value: 'project', label: t('form.scopeProject') },
          ]}
        />
      ) : (
        <ModelPicker
          label={t('form.defaultModel')}
          hint={t('form.defaultModelHint')}
          error={errorOf(form, 'defaultModel')}
          value={defaultModel}
          list={list}
          onChange={(model) => form.setValue('defaultModel', model, { shouldDirty: true })}
        />
      )}
    </FieldGrid>
  );
}
