import { type Agent, providerTypes } from '../../../../contract/agent.ts';
import { Select } from '../../../ui/controls/fields/select.tsx';
import { TextField } from '../../../ui/controls/fields/text-field.tsx';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import { type AgentDraft, type changesOf, draftOf, type draftProblems, hasAddress, hasFolder, withProvider } from './agent-draft.ts';
import { ApiKeyField } from './api-key-field.tsx';
import { ChangedMark } from './changed-mark.tsx';

export type ModelFieldsProps = {
  agent: Agent;
  draft: AgentDraft;
  changes: ReturnType<typeof changesOf>;
  problems: ReturnType<typeof draftProblems>;
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
export function OwnFields({ agent, draft, changes, problems, readOnly, change }: ModelFieldsProps) {
  const { t } = useTranslation('connections');
  const mark = (field: keyof typeof changes) => (field in changes ? <ChangedMark /> : null);
  return (
    <>
      {hasFolder(draft) && (
        <TextField
          label={t('folder')}
          aside={mark('folderId')}
          spellCheck={false}
          autoComplete="off"
          hint={t('agent.folderHint')}
          error={problems.includes('folderId') ? t('agent.folderBad') : undefined}
          disabled={readOnly}
          value={draft.folderId}
          onChange={(event) => change({ folderId: event.target.value })}
        />
      )}
      {isAddressFirst(agent, draft) && <AddressField {...{ agent, draft, changes, problems, readOnly, change }} />}
      {hasAddress(draft) && !readOnly && (
        <ApiKeyField saved={agent.apiConfiguration} draft={draft} changed={mark('apiKey')} onChange={change} />
      )}
    </>
  );
}

/** Whether the address stands with the model: where it has no usual one, or another is saved. Else it is behind *More*. */
export function isAddressFirst(agent: Agent, draft: AgentDraft): boolean {
  const { providerType } = draft;
  return hasAddress(draft) && (providerType === 'compatible' || providerType === 'azure' || draftOf(agent).baseUrl !== '');
}

/** The address of its server. */
export function AddressField({ draft, changes, problems, readOnly, change }: ModelFieldsProps) {
  const { t } = useTranslation('connections');
  return (
    <TextField
      label={t('agent.baseUrl')}
      aside={'baseUrl' in changes ? <ChangedMark /> : null}
      type="url"
      inputMode="url"
      spellCheck={false}
      autoComplete="off"
      placeholder={t('agent.baseUrlPlaceholder')}
      hint={t('agent.baseUrlHint')}
      error={problems.includes('baseUrl') ? t('agent.baseUrlBad') : undefined}
      disabled={readOnly}
      value={draft.baseUrl}
      onChange={(event) => change({ baseUrl: event.target.value })}
    />
  );
}
