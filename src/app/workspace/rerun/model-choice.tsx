import { useId, useState } from 'react';
import type { ApiConfiguration } from '../../../../contract/agent.ts';
import { maxTriedModels, triedModelMaxLength } from '../../../../contract/executions/fork.ts';
import { Button } from '../../../ui/controls/buttons/button.tsx';
import { Checkbox } from '../../../ui/controls/fields/checkbox.tsx';
import { TextField } from '../../../ui/controls/fields/text-field.tsx';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import { isEnter } from '../../../ui/typed-keys.ts';
import { useWorkspace } from '../../../workers/bridge/use-workspace.ts';
import { offeredModels } from './offered-models.ts';
import styles from './rerun.module.css';

type ModelChoiceProps = { provider: ApiConfiguration['providerType']; chosen: string[]; onChange: (models: string[]) => void };

/** The models with which a step is tried: three at most, by their names or typed. */
export function ModelChoice({ provider, chosen, onChange }: ModelChoiceProps) {
  const { t } = useTranslation('rerun');
  const id = useId();
  const agents = useWorkspace((state) => state.agents.byId);
  const [typed, setTyped] = useState<string[]>([]);
  const [name, setName] = useState('');
  const isFull = chosen.length >= maxTriedModels;
  const add = () => {
    const model = name.trim();
    if (model === '' || isFull) return;
    setTyped([...typed, model]);
    if (!chosen.includes(model)) onChange([...chosen, model]);
    setName('');
  };
  return (
    <>
      <fieldset className={styles.models}>
        <legend>{t('models')}</legend>
        {offeredModels(provider, Object.values(agents), typed).map((model) => (
          <label key={model} htmlFor={`${id} ${model}`}>
            <Checkbox
              id={`${id} ${model}`}
              checked={chosen.includes(model)}
              disabled={!chosen.includes(model) && isFull}
              onChange={({ target: { checked } }) => onChange(checked ? [...chosen, model] : chosen.filter((one) => one !== model))}
            />
            {model}
          </label>
        ))}
      </fieldset>
      <div className={styles.addModel}>
        <TextField
          label={t('otherModel')}
          size="s"
          value={name}
          maxLength={triedModelMaxLength}
          spellCheck={false}
          autoComplete="off"
          disabled={isFull}
          onChange={(event) => setName(event.target.value)}
          onKeyDown={(event) => isEnter(event) && add()}
        />
        <Button size="s" disabled={isFull || name.trim() === ''} onClick={add}>
          {t('addModel')}
        </Button>
      </div>
    </>
  );
}
