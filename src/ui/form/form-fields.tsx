import type { ComponentProps, ReactNode } from 'react';
import { type FieldPath, type FieldValues, useController } from 'react-hook-form';
import { CheckList } from '../controls/fields/check-list.tsx';
import { Select } from '../controls/fields/select.tsx';
import { TextArea } from '../controls/fields/text-area.tsx';
import { TextField } from '../controls/fields/text-field.tsx';
import type { ZodForm } from './use-zod-form.ts';

/** `error`: what is said of a wrong value. */
type Wired<Given extends FieldValues, Values extends FieldValues> = {
  form: ZodForm<Given, Values>;
  name: FieldPath<Given>;
  error?: string;
};
type WithoutWires<Props> = Omit<Props, 'form' | 'name' | 'error' | 'value' | 'onChange' | 'onBlur' | 'ref'>;

export function FormText<Given extends FieldValues, Values extends FieldValues>({
  form,
  name,
  error,
  ...rest
}: Wired<Given, Values> & WithoutWires<ComponentProps<typeof TextField>>) {
  return <TextField {...rest} {...form.register(name)} error={isWrong(form, name) ? error : undefined} />;
}

export function FormTextArea<Given extends FieldValues, Values extends FieldValues>({
  form,
  name,
  error,
  ...rest
}: Wired<Given, Values> & WithoutWires<ComponentProps<typeof TextArea>>) {
  return <TextArea {...rest} {...form.register(name)} error={isWrong(form, name) ? error : undefined} />;
}

export function FormSelect<Given extends FieldValues, Values extends FieldValues>({
  form,
  name,
  label,
  options,
}: Wired<Given, Values> & { label: string; options: readonly { value: string; label: string; icon?: ReactNode }[] }) {
  const { field } = useController({ control: form.control, name });
  return <Select label={label} value={field.value} options={options} onChange={field.onChange} />;
}

/** A field whose value is a list of those options that are chosen, in their order. */
export function FormCheckList<Given extends FieldValues, Values extends FieldValues>({
  form,
  name,
  error,
  legend,
  options,
}: Wired<Given, Values> & Pick<ComponentProps<typeof CheckList>, 'legend' | 'options'>) {
  const { field } = useController({ control: form.control, name });
  const chosen: readonly string[] = field.value;
  const toggle = (value: string, isOn: boolean) =>
    field.onChange(options.map((option) => option.value).filter((one) => (one === value ? isOn : chosen.includes(one))));
  return (
    <CheckList
      ref={field.ref}
      legend={legend}
      options={options}
      chosen={chosen}
      onToggle={toggle}
      error={isWrong(form, name) ? error : undefined}
    />
  );
}

function isWrong<Given extends FieldValues, Values extends FieldValues>(form: ZodForm<Given, Values>, name: FieldPath<Given>): boolean {
  return form.getFieldState(name, form.formState).invalid;
}
