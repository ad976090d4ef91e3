import { useEffect, useRef } from 'react';
import { efforts, modelDefaults } from '../../../../contract/agent.ts';
import { Select } from '../../../ui/controls/fields/select.tsx';
import { FormSwitch } from '../../../ui/form/form-fields.tsx';
import { errorOf } from '../../../ui/form/use-zod-form.ts';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import { hasAddress, maxTokensRange, temperatureRange } from './agent-draft.ts';
import { AgentFacts } from './agent-facts.tsx';
import styles from './agent-settings.module.css';
import { ChangedMark } from './changed-mark.tsx';
import { FallbackFields } from './connection-fields.tsx';
import { AddressField, isAddressFirst, type ModelFieldsProps } from './own-fields.tsx';
import { RangeField } from './range-field.tsx';
import type { ModelChoice } from './use-model-choice.ts';
import { WorkFields } from './work-fields.tsx';

/** The fields that stand above. */
const shownFirst: ReadonlySet<string> = new Set(['systemPrompt', 'model', 'folderId']);

/** What is seldom changed: how the model answers, what the agent may do in a step, and facts about it. */
export function MoreFields(props: ModelFieldsProps & { choice: ModelChoice }) {
  const { t } = useTranslation('connections');
  const { agent, form, draft } = props;
  const details = useRef<HTMLDetailsElement>(null);
  const isAddressHere = hasAddress(draft) && !isAddressFirst(agent, draft);
  const isWrong = Object.keys(form.formState.errors).some((problem) => (problem === 'baseUrl' ? isAddressHere : !shownFirst.has(problem)));
  // What keeps Save off is seen.
  useEffect(() => {
    if (isWrong && details.current) details.current.open = true;
  }, [isWrong]);
  return (
    <details ref={details} className={styles.more} data-testid="agent-more">
      <summary>
        {t('words:more')}
        <small>{t('agent.moreAbout')}</small>
      </summary>
      <div className={styles.moreFields}>
        {isAddressHere && <AddressField {...props} />}
        <AnswerFields {...props} />
        <WorkFields {...props} />
        <AgentFacts agent={agent} />
      </div>
    </details>
  );
}

/** How the model answers, and what happens where it does not. */
function AnswerFields({ form, draft, changes, readOnly, change, choice }: ModelFieldsProps & { choice: ModelChoice }) {
  const { t, language } = useTranslation('connections');
  const { connections, isFixed } = choice;
  const mark = (field: keyof typeof changes) => (field in changes ? <ChangedMark /> : null);
  const number = (value: number) => value.toLocaleString(language);
  return (
    <>
      <RangeField
        label={t('agent.temperature')}
        changed={mark('temperature')}
        range={temperatureRange}
        decimals={1}
        low={t('agent.temperatureLow')}
        high={t('agent.temperatureHigh')}
        hint={t('agent.temperatureHint')}
        usual={modelDefaults.temperature}
        refused={isFixed ? t('agent.noTemperature') : null}
        problem={errorOf(form, 'temperature', t('agent.temperatureBad'))}
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
        hint={t('agent.maxTokensHint')}
        usual={modelDefaults.maxTokens}
        refused={null}
        problem={errorOf(form, 'maxTokens', t('agent.maxTokensBad'))}
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
          <FormSwitch {...{ form, name: 'mayGoWithoutTools', disabled: readOnly }} label={t('agent.withoutTools')} />
          {mark('mayGoWithoutTools')}
        </div>
        <p className={styles.foldNote}>{t('agent.withoutToolsHint')}</p>
      </div>
      {(connections.length > 0 || draft.fallbackId !== null) && (
        <FallbackFields {...{ form, draft, connections, changes, readOnly, change }} />
      )}
    </>
  );
}
