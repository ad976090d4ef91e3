import { modelCallsTools } from '../../../../contract/agent.ts';
import { errorOf } from '../../../ui/form/use-zod-form.ts';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import { ModelPicker } from '../models/model-picker.tsx';
import { isOwn, isSaved, staysSimulated } from './agent-draft.ts';
import styles from './agent-settings.module.css';
import { ChangedMark } from './changed-mark.tsx';
import { ConnectionField } from './connection-fields.tsx';
import { type ModelFieldsProps, OwnFields, ProviderField } from './own-fields.tsx';
import type { ModelChoice } from './use-model-choice.ts';

/** The model that answers for an agent: its connection or its own provider, and its name. */
export function ModelFields(props: ModelFieldsProps & { choice: ModelChoice }) {
  const { agent, form, draft, changes, readOnly, change, choice } = props;
  const { t } = useTranslation('connections');
  const { connections, list, provider } = choice;
  const mark = (field: keyof typeof changes) => (field in changes ? <ChangedMark /> : null);
  const model = (
    <ModelPicker
      label={t('agent.modelName')}
      aside={mark('model')}
      list={list}
      openLabel={t('agent.modelNames')}
      error={errorOf(form, 'model', t('agent.modelEmpty'))}
      disabled={readOnly}
      value={draft.model}
      ended={isSaved(draft, agent) ? agent.apiConfiguration.ended : undefined}
      isSimulated={staysSimulated(draft, agent)}
      onChange={(name) => change({ model: name })}
    />
  );
  return (
    <>
      <h3>{t('model')}</h3>
      <ConnectionField {...props} connections={connections} />
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
    </>
  );
}
