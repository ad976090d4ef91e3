import { useId, useState } from 'react';
import { maxTriedModels, triedModelMaxLength } from '../../../../contract/executions/fork.ts';
import { Button } from '../../../ui/controls/buttons/button.tsx';
import { Checkbox } from '../../../ui/controls/fields/checkbox.tsx';
import { TextField } from '../../../ui/controls/fields/text-field.tsx';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import { isEnter } from '../../../ui/typed-keys.ts';
import { useWorkspace } from '../../../workers/bridge/use-workspace.ts';
import { ModelPicker } from '../models/model-picker.tsx';
import { offeredModels } from './offered-models.ts';
import styles from './rerun.module.css';
import type { TriedSource } from './use-tried-source.ts';

type ModelChoiceProps = { of: TriedSource; chosen: string[]; onChange: (models: string[]) => void };

/** The models with which a step is tried: three at most, by their names or typed. */
export function ModelChoice({ of: { source, list }, chosen, onChange }: ModelChoiceProps) {
  const { t } = useTranslation('rerun');
  const id = useId();
  const agents = useWorkspace((state) => state.agents.byId);
  const [typed, setTyped] = useState<string[]>([]);
  const [name, setName] = useState('');
  const isFull = chosen.length >= maxTriedModels;
  const add = () => {
    const model = name.trim();
    if (model === '' || model.length > triedModelMaxLength || isFull) return;
    setTyped([...typed, model]);
    if (!chosen.includes(model)) onChange([...chosen, model]);
    setName('');
  };
  return (
    <>
      <fieldset className={styles.models}>
        <legend>{t('models')}</legend>
        {offeredModels(source, Object.values(agents), typed).map((model) => (
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
        {list ? (
          <ModelPicker label={t('otherModel')} list={list} value={name} disabled={isFull} onChange={setName} />
        ) : (
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
        )}
        <Button size="s" disabled={isFull || name.trim() === ''} onClick={add}>
          {t('words:add')}
        </Button>
      </div>
    </>
  );
}
