import type { ChangeEvent } from 'react';
import { answerFileMaxLength, type QuestionAnswer } from '../../../../contract/question.ts';
import type { PersonInput } from '../../../../contract/run-graph.ts';
import { Select } from '../../../ui/controls/fields/select.tsx';
import { TextArea } from '../../../ui/controls/fields/text-area.tsx';
import { TextField } from '../../../ui/controls/fields/text-field.tsx';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import styles from './questions.module.css';

export type AnswerValues = NonNullable<QuestionAnswer['values']>;

type InputsProps = {
  inputs: readonly PersonInput[];
  values: AnswerValues;
  /** The ids of inputs that need a value. */
  missing: readonly string[];
  onChange: (values: AnswerValues) => void;
};

/** The inputs of a person's card. */
export function QuestionInputs({ inputs, values, missing, onChange }: InputsProps) {
  const { t } = useTranslation('questions');
  return inputs.map((input) => (
    <QuestionInput
      key={input.id}
      input={input}
      value={values[input.id]}
      error={missing.includes(input.id) ? t('required') : undefined}
      onChange={(value) => {
        const { [input.id]: _, ...others } = values;
        onChange(value === undefined ? others : { ...others, [input.id]: value });
      }}
    />
  ));
}

/** Returns the ids of the inputs that need a value and have none. */
export function missingInputs(inputs: readonly PersonInput[], values: AnswerValues): string[] {
  return inputs.flatMap(({ id, isRequired }) => (isRequired && (values[id] === undefined || values[id] === '') ? [id] : []));
}

type InputProps = {
  input: PersonInput;
  value: AnswerValues[string] | undefined;
  error: string | undefined;
  onChange: (value: AnswerValues[string] | undefined) => void;
};

function QuestionInput({ input, value, error, onChange }: InputProps) {
  const { t } = useTranslation('questions');
  const label = input.isRequired ? input.label : t('optional', { label: input.label });
  switch (input.type) {
    case 'text':
      return (
        <TextArea
          {...{ label, error }}
          rows={2}
          value={typeof value === 'string' ? value : ''}
          onChange={(event) => onChange(event.target.value || undefined)}
        />
      );
    case 'number':
      return (
        <TextField
          {...{ label, error }}
          type="number"
          step="any"
          inputMode="decimal"
          value={typeof value === 'number' ? String(value) : ''}
          onChange={(event) => onChange(event.target.value === '' ? undefined : event.target.valueAsNumber)}
        />
      );
    case 'choice':
      return (
        <Select
          {...{ label, error }}
          value={typeof value === 'string' ? value : ''}
          options={[{ value: '', label: t('choose') }, ...(input.options ?? []).map((option) => ({ value: option, label: option }))]}
          onChange={(option) => onChange(option || undefined)}
        />
      );
    case 'file':
      return <FileInput {...{ label, error, value, onChange }} />;
  }
}

function FileInput({ label, error, value, onChange }: Omit<InputProps, 'input'> & { label: string }) {
  const { t } = useTranslation('questions');
  const choose = async ({ target }: ChangeEvent<HTMLInputElement>) => {
    const [file] = target.files ?? [];
    if (!file) return;
    target.setCustomValidity('');
    const content = file.size > answerFileMaxLength ? null : await file.text();
    if (content === null || content.includes('\0')) {
      target.value = '';
      target.setCustomValidity(t(content === null ? 'fileTooLarge' : 'fileNoText'));
      target.reportValidity();
    } else onChange({ name: file.name, content });
  };
  return (
    <div className={styles.file}>
      <TextField {...{ label, error }} type="file" onChange={(event) => void choose(event)} />
      {typeof value === 'object' && <small>{t('fileChosen', { name: value.name })}</small>}
    </div>
  );
}
