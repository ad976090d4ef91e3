import { type Agent, providerTypes } from '../../../../contract/agent.ts';
import { Select } from '../../../ui/controls/fields/select.tsx';
import { FormText } from '../../../ui/form/form-fields.tsx';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import { type AgentDraft, type AgentFields, type changesOf, draftOf, hasAddress, hasFolder, withProvider } from './agent-draft.ts';
import { ApiKeyField } from './api-key-field.tsx';
import { ChangedMark } from './changed-mark.tsx';

export type ModelFieldsProps = {
  agent: Agent;
  form: AgentFields;
  draft: AgentDraft;
  changes: ReturnType<typeof changesOf>;
  readOnly: boolean;
  change: (changes: Partial<AgentDraft>) => void;
};

/** The provider of an agent without a connection. */
export function ProviderField({ draft, changes, readOnly, change }: ModelFieldsProps) {
  const { t } = useTranslation('connections');
  return (
    <Select
      label={t('provider')}
      aside={'providerType' in changes ? <ChangedMark /> : null}
      value={draft.providerType}
      options={providerTypes.map((value) => ({ value, label: t(`agent.providers.${value}`) }))}
      disabled={readOnly}
      onChange={(providerType) => change(withProvider(draft, providerType))}
    />
  );
}

/** Its folder, its address where it needs one, and its key. */
export function OwnFields(props: ModelFieldsProps) {
  const { agent, form, draft, changes, readOnly } = props;
  const { t } = useTranslation('connections');
  const mark = (field: keyof typeof changes) => (field in changes ? <ChangedMark /> : null);
  return (
    <>
      {hasFolder(draft) && (
        <FormText
          {...{ form, name: 'folderId', spellCheck: false, autoComplete: 'off', disabled: readOnly }}
          label={t('folder')}
          aside={mark('folderId')}
          hint={t('agent.folderHint')}
          error={t('agent.folderBad')}
        />
      )}
      {isAddressFirst(agent, draft) && <AddressField {...props} />}
      {hasAddress(draft) && !readOnly && <ApiKeyField saved={agent.apiConfiguration} form={form} changed={mark('apiKey')} />}
    </>
  );
}

/** Whether the address stands with the model: where it has no usual one, or another is saved. Else it is behind *More*. */
export function isAddressFirst(agent: Agent, draft: AgentDraft): boolean {
  const { providerType } = draft;
  return hasAddress(draft) && (providerType === 'compatible' || providerType === 'azure' || draftOf(agent).baseUrl !== '');
}

/** The address of its server. */
export function AddressField({ form, changes, readOnly }: ModelFieldsProps) {
  const { t } = useTranslation('connections');
  return (
    <FormText
      {...{ form, name: 'baseUrl', type: 'url', inputMode: 'url', spellCheck: false, autoComplete: 'off', disabled: readOnly }}
      label={t('agent.baseUrl')}
      aside={'baseUrl' in changes ? <ChangedMark /> : null}
      placeholder={t('agent.baseUrlPlaceholder')}
      hint={t('agent.baseUrlHint')}
      error={t('agent.baseUrlBad')}
    />
  );
}
