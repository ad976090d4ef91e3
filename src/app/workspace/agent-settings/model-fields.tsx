import { type Agent, modelCallsTools, providerTypes } from '../../../../contract/agent.ts';
import { ComboField } from '../../../ui/controls/fields/combo-field.tsx';
import { Select } from '../../../ui/controls/fields/select.tsx';
import { TextField } from '../../../ui/controls/fields/text-field.tsx';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import {
  type AgentDraft,
  type changesOf,
  type draftProblems,
  hasAddress,
  hasFolder,
  maxTokensRange,
  modelNames,
  temperatureRange,
  withProvider,
} from './agent-draft.ts';
import styles from './agent-settings.module.css';
import { ApiKeyField } from './api-key-field.tsx';
import { ChangedMark } from './changed-mark.tsx';
import { RangeField } from './range-field.tsx';

type ModelFieldsProps = {
  agent: Agent;
  draft: AgentDraft;
  changes: ReturnType<typeof changesOf>;
  problems: ReturnType<typeof draftProblems>;
  readOnly: boolean;
  change: (changes: Partial<AgentDraft>) => void;
};

/** The model that answers for an agent: its provider, name, address, key and limits. */
export function ModelFields({ agent, draft, changes, problems, readOnly, change }: ModelFieldsProps) {
  const { t, language } = useTranslation('workspace');
  const mark = (field: keyof typeof changes) => (field in changes ? <ChangedMark /> : null);
  const number = (value: number) => value.toLocaleString(language);
  return (
    <>
      <h3>{t('agent.model')}</h3>
      <div className={styles.pair}>
        <Select
          label={t('agent.provider')}
          aside={mark('providerType')}
          value={draft.providerType}
          options={providerTypes.map((value) => ({ value, label: t(`agent.providers.${value}`) }))}
          disabled={readOnly}
          onChange={(providerType) => change(withProvider(draft, providerType))}
        />
        <ComboField
          label={t('agent.modelName')}
          aside={mark('model')}
          options={modelNames(draft.providerType)}
          openLabel={t('agent.modelNames')}
          error={problems.includes('model') ? t('agent.modelEmpty') : undefined}
          disabled={readOnly}
          value={draft.model}
          onChange={(model) => change({ model })}
        />
      </div>
      <p className={styles.note}>{t(`agent.${draft.providerType}Hint`)}</p>
      {!modelCallsTools(draft.providerType, draft.model.trim()) && (
        <p className={styles.note} role="status">
          {t('agent.noTools')}
        </p>
      )}
      {hasFolder(draft) && (
        <TextField
          label={t('agent.folder')}
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
      {hasAddress(draft) && (
        <>
          <TextField
            label={t('agent.baseUrl')}
            aside={mark('baseUrl')}
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
          {!readOnly && <ApiKeyField saved={agent.apiConfiguration} draft={draft} changed={mark('apiKey')} onChange={change} />}
        </>
      )}
      <RangeField
        label={t('agent.temperature')}
        changed={mark('temperature')}
        range={temperatureRange}
        decimals={1}
        low={t('agent.temperatureLow')}
        high={t('agent.temperatureHigh')}
        problem={problems.includes('temperature') ? t('agent.temperatureBad') : undefined}
        disabled={readOnly}
        value={draft.temperature}
        onChange={(temperature) => change({ temperature })}
      />
      <RangeField
        label={t('agent.maxTokens')}
        changed={mark('maxTokens')}
        range={maxTokensRange}
        decimals={0}
        low={number(maxTokensRange.min)}
        high={t('agent.maxTokensHigh', { max: number(maxTokensRange.max) })}
        problem={problems.includes('maxTokens') ? t('agent.maxTokensBad') : undefined}
        disabled={readOnly}
        value={draft.maxTokens}
        onChange={(maxTokens) => change({ maxTokens })}
      />
    </>
  );
}
