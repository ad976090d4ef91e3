import { useState } from 'react';
import type { PersonInput } from '../../../contract/executions/run-graph.ts';
import { Field } from '../../ui/controls/fields/field.tsx';
import { TextArea } from '../../ui/controls/fields/text-area.tsx';
import { TextField } from '../../ui/controls/fields/text-field.tsx';
import { useTranslation } from '../../ui/i18n/use-translation.ts';
import { ChevronDown, FileUp, X } from '../../ui/icons/icons.ts';
import styles from './answer-field.module.css';
import type { AnswerFile, InputDraft } from './input-values.ts';
import { readAnswerFile } from './read-answer-file.ts';

type Props = {
  inputs: readonly PersonInput[];
  draft: InputDraft;
  update: (edit: (draft: InputDraft) => void) => void;
  errorOf: (inputId: string) => string | undefined;
  /** Called before a value changes. */
  onEdit: (inputId: string) => void;
  /** Controls and texts in the size for fingers. */
  isLarge?: boolean;
};

/** The inputs of a person's card. */
export function AnswerFields({ inputs, draft, update, errorOf, onEdit, isLarge = false }: Props) {
  return inputs.map((input) => (
    <AnswerField
      key={input.id}
      isLarge={isLarge}
      input={input}
      value={draft.texts[input.id] ?? ''}
      file={draft.files[input.id]}
      error={errorOf(input.id)}
      onChange={(value) => {
        onEdit(input.id);
        update(({ texts }) => {
          if (value === '') delete texts[input.id];
          else texts[input.id] = value;
        });
      }}
      onFile={(file) => {
        onEdit(input.id);
        update(({ files }) => {
          if (file) files[input.id] = file;
          else delete files[input.id];
        });
      }}
    />
  ));
}

type FieldProps = {
  input: PersonInput;
  value: string;
  file: AnswerFile | undefined;
  error: string | undefined;
  isLarge: boolean;
  onChange: (value: string) => void;
  onFile: (file: AnswerFile | null) => void;
};

function AnswerField({ input, value, file, error, isLarge, onChange, onFile }: FieldProps) {
  const { t } = useTranslation('answers');
  const { label, type, options = [], isRequired = false } = input;
  const frame = { label, error, aside: isRequired ? undefined : <span className={styles.optional}>{t('optional')}</span> };
  const change = (event: { target: { value: string } }) => onChange(event.target.value);
  switch (type) {
    case 'text':
      return (
        <TextArea
          {...frame}
          className={isLarge ? styles.largeText : undefined}
          rows={2}
          required={isRequired}
          value={value}
          onChange={change}
        />
      );
    case 'number':
      return (
        <TextField
          {...frame}
          size={isLarge ? 'xl' : 'm'}
          inputMode="decimal"
          autoComplete="off"
          required={isRequired}
          value={value}
          onChange={change}
        />
      );
    case 'choice':
      return (
        <Field {...frame}>
          {(wiring) => (
            <div className={styles.choice}>
              <select
                {...wiring}
                className={styles.select}
                data-large={isLarge || undefined}
                required={isRequired}
                value={value}
                onChange={change}
              >
                <option value="">{t('choose')}</option>
                {options.map((option) => (
                  <option key={option}>{option}</option>
                ))}
              </select>
              <ChevronDown size={16} aria-hidden />
            </div>
          )}
        </Field>
      );
    case 'file':
      return <FileField frame={frame} file={file} isLarge={isLarge} onFile={onFile} />;
  }
}

type FileFieldProps = { frame: { label: string; error: string | undefined; aside: React.ReactNode } } & Pick<
  FieldProps,
  'file' | 'isLarge' | 'onFile'
>;

function FileField({ frame, file, isLarge, onFile }: FileFieldProps) {
  const { t } = useTranslation('answers');
  const [refused, setRefused] = useState<'large' | 'binary' | 'unread' | null>(null);
  const [encoding, setEncoding] = useState<string | null>(null);
  const take = async (chosen: File | undefined) => {
    if (!chosen) return;
    // Without a network the detector of encodings may not arrive.
    const read = await readAnswerFile(chosen).catch(() => 'unread' as const);
    setRefused(typeof read === 'string' ? read : null);
    if (typeof read === 'string') return;
    setEncoding(read.encoding);
    onFile(read.file);
  };
  return (
    <Field
      {...frame}
      error={refused ? t(`file.${refused}`) : frame.error}
      hint={file && encoding ? t('file.readAs', { encoding }) : t('file.hint')}
    >
      {(wiring) => (
        <div className={styles.file} data-large={isLarge || undefined}>
          <label className={styles.pick}>
            <input
              {...wiring}
              type="file"
              className="visually-hidden"
              onChange={(event) => {
                void take(event.target.files?.[0]);
                // The same file may be chosen again after it was changed.
                event.target.value = '';
              }}
            />
            <FileUp size={17} aria-hidden />
            <span>{file ? file.name : t('file.choose')}</span>
          </label>
          {file && (
            <button
              type="button"
              className={styles.drop}
              aria-label={t('words:removeNamed', { name: file.name })}
              onClick={() => onFile(null)}
            >
              <X size={17} aria-hidden />
            </button>
          )}
        </div>
      )}
    </Field>
  );
}
