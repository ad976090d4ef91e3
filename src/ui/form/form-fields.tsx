import type { ComponentProps, ReactNode } from 'react';
import { type FieldPath, type FieldValues, useController } from 'react-hook-form';
import { CheckList } from '../controls/fields/check-list.tsx';
import { Select } from '../controls/fields/select.tsx';
import { Switch } from '../controls/fields/switch.tsx';
import { TextArea } from '../controls/fields/text-area.tsx';
import { TextField } from '../controls/fields/text-field.tsx';
import styles from './form.module.css';
import { errorOf, type FieldError, type ZodForm } from './use-zod-form.ts';

/** `onEdit` is called after a change by the person. */
type Wired<Given extends FieldValues, Values extends FieldValues> = {
  form: ZodForm<Given, Values>;
  name: FieldPath<Given>;
  error?: FieldError;
  onEdit?: (value: string) => void;
};
type WithoutWires<Props> = Omit<Props, 'form' | 'name' | 'error' | 'value' | 'onChange' | 'onBlur' | 'ref'>;

export function FormText<Given extends FieldValues, Values extends FieldValues>({
  form,
  name,
  error,
  onEdit,
  ...rest
}: Wired<Given, Values> & WithoutWires<ComponentProps<typeof TextField>>) {
  const wires = form.register(name, { onChange: ({ target }) => onEdit?.(target.value) });
  const { invalid } = form.getFieldState(name, form.formState);
  return <TextField {...rest} {...wires} invalid={invalid} error={errorOf(form, name, error)} />;
}

export function FormTextArea<Given extends FieldValues, Values extends FieldValues>({
  form,
  name,
  error,
  onEdit,
  ...rest
}: Wired<Given, Values> & WithoutWires<ComponentProps<typeof TextArea>>) {
  const wires = form.register(name, { onChange: ({ target }) => onEdit?.(target.value) });
  return <TextArea {...rest} {...wires} {...(rest.grows && { value: form.watch(name) ?? '' })} error={errorOf(form, name, error)} />;
}

export function FormSelect<Given extends FieldValues, Values extends FieldValues>({
  form,
  name,
  error,
  onEdit,
  ...rest
}: Wired<Given, Values> & WithoutWires<ComponentProps<typeof Select>>) {
  const { field } = useController({ control: form.control, name });
  const choose = (value: string) => {
    field.onChange(value);
    onEdit?.(value);
  };
  return <Select {...rest} value={field.value ?? ''} onChange={choose} error={errorOf(form, name, error)} />;
}

export function FormSwitch<Given extends FieldValues, Values extends FieldValues>({
  form,
  name,
  ...rest
}: Pick<Wired<Given, Values>, 'form' | 'name'> & Omit<ComponentProps<typeof Switch>, 'checked' | 'onChange'>) {
  const { field } = useController({ control: form.control, name });
  return <Switch {...rest} checked={field.value} onChange={field.onChange} />;
}

/** A field whose value is a list of those options that are chosen, in their order. */
export function FormCheckList<Given extends FieldValues, Values extends FieldValues>({
  form,
  name,
  error,
  legend,
  options,
}: Omit<Wired<Given, Values>, 'onEdit'> & Pick<ComponentProps<typeof CheckList>, 'legend' | 'options'>) {
  const { field } = useController({ control: form.control, name });
  const chosen: readonly string[] = field.value;
  const toggle = (value: string, isOn: boolean) =>
    field.onChange(options.map((option) => option.value).filter((one) => (one === value ? isOn : chosen.includes(one))));
  return <CheckList legend={legend} options={options} chosen={chosen} onToggle={toggle} error={errorOf(form, name, error)} />;
}

/** Short fields, as many in a line as have room. */
export function FieldGrid({ children }: { children: ReactNode }) {
  return <div className={styles.fields}>{children}</div>;
}
