import type { ModelConnection } from '../../../../contract/model-connection.ts';
import { Button } from '../../../ui/controls/buttons/button.tsx';
import { Select } from '../../../ui/controls/fields/select.tsx';
import { TextField } from '../../../ui/controls/fields/text-field.tsx';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import { ModelPicker } from '../models/model-picker.tsx';
import { useModels } from '../models/use-models.ts';
import type { ConnectionDraft, fieldProblems } from './connection-draft.ts';
import styles from './connections.module.css';
import { foreignKey, providerFacts } from './provider-facts.ts';

type ConnectionInputsProps = {
  connection: ModelConnection | null;
  draft: ConnectionDraft;
  refused: ReturnType<typeof fieldProblems>;
  isAddressMissing: boolean;
  change: (changes: Partial<ConnectionDraft>) => void;
  typeKey: (key: string) => void;
};

/** The fields of a connection that most providers need; which ones are shown follows from the provider. */
export function ConnectionInputs({ connection, draft, refused, isAddressMissing, change, typeKey }: ConnectionInputsProps) {
  const { t } = useTranslation('connections');
  const list = useModels(connection?.id ?? null);
  const facts = providerFacts[draft.provider];
  const field = (name: 'name' | 'address' | 'folderId') => ({
    ...({ size: 's', autoComplete: 'off', spellCheck: false } as const),
    value: draft[name],
    error: refused[name],
    onChange: (event: { target: { value: string } }) => change({ [name]: event.target.value }),
  });
  const keyHint = connection?.keyLast4
    ? t('form.keyKept', { last: connection.keyLast4 })
    : [
        facts.keyExample && t('form.keyLooks', { example: facts.keyExample }),
        facts.needsKey ? '' : t('form.keyOptional'),
        t('form.keySafe'),
      ]
        .filter(Boolean)
        .join(' · ');
  const foreign = foreignKey(draft.provider, draft.apiKey);
  return (
    <div className={styles.fields}>
      <div className={styles.wide}>
        <TextField
          size="s"
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
          error={refused.apiKey}
          autoComplete="new-password"
          spellCheck={false}
          // The window is opened to paste a key.
          autoFocus={connection === null}
          required={facts.needsKey && connection === null}
          maxLength={4_000}
          value={draft.apiKey}
          onChange={(event) => typeKey(event.target.value)}
        />
        {foreign !== null && (
          <p className={styles.foreign} role="status">
            {t('form.keyForeign', { provider: t(`agent.providers.${foreign}`) })}
            {connection === null && (
              <Button size="xs" onClick={() => change({ provider: foreign })}>
                {t('form.keyUseForeign', { provider: t(`agent.providers.${foreign}`) })}
              </Button>
            )}
          </p>
        )}
      </div>
      <TextField
        {...field('address')}
        inputMode="url"
        label={t('words:address')}
        placeholder={facts.addressExample}
        hint={t(facts.address === 'must' ? 'form.addressHint' : 'form.addressOwn')}
        error={isAddressMissing ? t('form.addressNeeded') : refused.address}
        maxLength={2_000}
      />
      {facts.hasFolder && <TextField {...field('folderId')} label={t('folder')} hint={t('form.folderHint')} maxLength={100} />}
      <TextField {...field('name')} label={t('words:name')} placeholder={t(`agent.providers.${draft.provider}`)} maxLength={60} />
      {connection === null ? (
        <Select
          label={t('form.scope')}
          value={draft.isOfProject ? 'project' : 'user'}
          options={[
            { value: 'user', label: t('form.scopeUser') },
            { value: 'project', label: t('form.scopeProject') },
          ]}
          onChange={(scope) => change({ isOfProject: scope === 'project' })}
        />
      ) : (
        <ModelPicker
          label={t('form.defaultModel')}
          hint={t('form.defaultModelHint')}
          error={refused.defaultModel}
          value={draft.defaultModel}
          list={list}
          onChange={(defaultModel) => change({ defaultModel })}
        />
      )}
    </div>
  );
}
