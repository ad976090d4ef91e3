import { zodResolver } from '@hookform/resolvers/zod';
import { type DefaultValues, type FieldPath, type FieldValues, type UseFormReturn, useForm } from 'react-hook-form';
import type { z } from 'zod';
import type { Problem } from '../../model/problem.ts';

/** A form of `Given` values, whose schema makes the sent `Values` of them. */
export type ZodForm<Given extends FieldValues, Values extends FieldValues = Given> = UseFormReturn<Given, unknown, Values>;

/** A form whose values a schema checks when it is sent, or as they are typed (`onChange`), and at each change after that. */
export function useZodForm<Given extends FieldValues, Values extends FieldValues>(
  schema: z.ZodType<Values, Given>,
  defaultValues: DefaultValues<Given>,
  mode: 'onSubmit' | 'onChange' = 'onSubmit',
): ZodForm<Given, Values> {
  return useForm({ resolver: zodResolver(schema), defaultValues, mode, shouldFocusError: false });
}

/** What is said of the value of a field: the server's sentence about it, or the form's own. Undefined for a right value. */
export function errorOf<Given extends FieldValues, Values extends FieldValues>(
  form: ZodForm<Given, Values>,
  name: FieldPath<Given>,
  own?: FieldError,
): string | undefined {
  const { invalid, error } = form.getFieldState(name, form.formState);
  if (!invalid) return undefined;
  if (error?.type === 'server') return error.message;
  return typeof own === 'function' ? own(error?.message ?? '') : own;
}

/** The sentence about a wrong value, or how it is made of the code that the schema gives. */
export type FieldError = string | ((code: string) => string);

/** Returns the server's first sentence about each of the fields. */
export function fieldMessages(problem: Problem | null, fields: readonly string[]): Map<string, string> {
  const found = new Map<string, string>();
  for (const { params } of problem?.details ?? []) {
    const path = String(params?.path ?? '').split('.');
    const field = fields.find((name) => path.includes(name));
    if (field !== undefined && !found.has(field)) found.set(field, String(params?.message ?? ''));
  }
  return found;
}
