import { efforts, modelCallsTools, modelDefaults } from '../../../../contract/agent.ts';
import { Select } from '../../../ui/controls/fields/select.tsx';
import { Switch } from '../../../ui/controls/fields/switch.tsx';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import { useWorkspace } from '../../../workers/bridge/use-workspace.ts';
import { useConnections } from '../connections/use-connections.ts';
import { ModelPicker } from '../models/model-picker.tsx';
import { useModels, useOfferedModels } from '../models/use-models.ts';
import { isOwn, isSaved, maxTokensRange, staysSimulated, temperatureRange } from './agent-draft.ts';
import styles from './agent-settings.module.css';
import { ChangedMark } from './changed-mark.tsx';
import { ConnectionField, FallbackFields } from './connection-fields.tsx';
import { type ModelFieldsProps, OwnFields, ProviderField } from './own-fields.tsx';
import { RangeField } from './range-field.tsx';

/** The model that answers for an agent: its connection or its own provider, its name and its limits. */
export function ModelFields(props: ModelFieldsProps) {
  const { agent, draft, changes, problems, readOnly, change } = props;
  const { t, language } = useTranslation('connections');
  const projectId = useWorkspace(({ project }) => project?.id ?? null);
  const connections = useConnections(readOnly ? null : projectId).value ?? [];
  const connected = useModels(draft.connectionId);
  const provider = connections.find(({ id }) => id === draft.connectionId)?.provider ?? draft.providerType;
  // Another server may serve other models under the same names.
  const offered = useOfferedModels(draft.providerType, !readOnly && draft.baseUrl.trim() === '');
  const list = isOwn(draft) ? offered : connected;
  const isFixed = list.models.find(({ id }) => id === draft.model.trim())?.isSamplingFixed === true;
  const mark = (field: keyof typeof changes) => (field in changes ? <ChangedMark /> : null);
  const number = (value: number) => value.toLocaleString(language);
  const model = (
    <ModelPicker
      label={t('agent.modelName')}
      aside={mark('model')}
      list={list}
      openLabel={t('agent.modelNames')}
      error={problems.includes('model') ? t('agent.modelEmpty') : undefined}
      disabled={readOnly}
      value={draft.model}
      ended={isSaved(draft, agent) ? agent.apiConfiguration.ended : undefined}
      isSimulated={staysSimulated(draft, agent)}
      onChange={(name) => change({ model: name })}
    />
  );
  return (
    <>
      <h3>{t('agent.model')}</h3>
      <ConnectionField
        {...{ agent, draft, connections, readOnly, change }}
        isChanged={'connectionId' in changes}
        isEdited={Object.keys(changes).length > 0}
      />
      {isOwn(draft) ? (
        <>
          <ProviderField {...props} />
          <p className={styles.note}>{t(`agent.${draft.providerType}Hint`)}</p>
          {model}
        </>
      ) : (
        model
      )}
      {!modelCallsTools(provider, draft.model.trim()) && (
        <p className={styles.note} role="status">
          {t(draft.mayGoWithoutTools ? 'agent.noTools' : 'agent.needsTools')}
        </p>
      )}
      {isOwn(draft) && <OwnFields {...props} />}
      <RangeField
        label={t('agent.temperature')}
        changed={mark('temperature')}
        range={temperatureRange}
        decimals={1}
        low={t('agent.temperatureLow')}
        high={t('agent.temperatureHigh')}
        usual={modelDefaults.temperature}
        refused={isFixed ? t('agent.noTemperature') : null}
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
        usual={modelDefaults.maxTokens}
        refused={null}
        problem={problems.includes('maxTokens') ? t('agent.maxTokensBad') : undefined}
        disabled={readOnly}
        value={draft.maxTokens}
        onChange={(maxTokens) => change({ maxTokens })}
      />
      <Select
        label={t('agent.effort')}
        aside={mark('effort')}
        hint={t('agent.effortHint')}
        value={draft.effort ?? 'unset'}
        options={(['unset', ...efforts] as const).map((value) => ({ value, label: t(`agent.efforts.${value}`) }))}
        disabled={readOnly}
        onChange={(effort) => change({ effort: effort === 'unset' ? null : effort })}
      />
      <div>
        <div className={styles.switch}>
          <Switch
            label={t('agent.withoutTools')}
            checked={draft.mayGoWithoutTools}
            disabled={readOnly}
            onChange={(mayGoWithoutTools) => change({ mayGoWithoutTools })}
          />
          {mark('mayGoWithoutTools')}
        </div>
        <p className={styles.foldNote}>{t('agent.withoutToolsHint')}</p>
      </div>
      {(connections.length > 0 || draft.fallbackId !== null) && (
        <FallbackFields {...{ draft, connections, changes, problems, readOnly, change }} />
      )}
    </>
  );
}
