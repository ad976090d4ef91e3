import { zodResolver } from '@hookform/resolvers/zod';
import { type DefaultValues, type FieldValues, type UseFormReturn, useForm } from 'react-hook-form';
import type { z } from 'zod';

/** A form of `Given` values, whose schema makes the sent `Values` of them. */
export type ZodForm<Given extends FieldValues, Values extends FieldValues = Given> = UseFormReturn<Given, unknown, Values>;

/** A form whose values a schema checks when it is sent, and at each change after that. The first wrong field gets the focus. */
export function useZodForm<Given extends FieldValues, Values extends FieldValues>(
  schema: z.ZodType<Values, Given>,
  defaultValues: DefaultValues<Given>,
): ZodForm<Given, Values> {
  return useForm({ resolver: zodResolver(schema), defaultValues });
}
