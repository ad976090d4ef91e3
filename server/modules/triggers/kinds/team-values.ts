import { type InputField, inputSchemaOf } from '../../../../contract/released-team.ts';
import type { FilterRule, FireReason } from '../../../../contract/trigger.ts';
import { textOf, unmetRule, valueAt } from '../read-body.ts';

/** What has come in: a body as text, and the kind of its event as the header of its sender says it. */
export type Arrival = { body: string | null; event: string | null };

export type TeamValues =
  | { denied: null; input: Record<string, unknown> }
  | { denied: { outcome: 'filtered' | 'failed'; reason: FireReason; detail?: string }; input: null };

/** Returns the values that stand in a body. A body that a rule does not fit is filtered. It is JSON, which its receiver has checked. */
export function valuesInBody(
  { fields: paths, filter }: { fields: Readonly<Record<string, string>>; filter: readonly FilterRule[] },
  fields: readonly InputField[],
  { body, event }: Arrival,
): TeamValues {
  const received = { body: body === null || body === '' ? {} : (JSON.parse(body) as unknown), event };
  const unmet = unmetRule(received, filter);
  if (unmet) return { denied: { outcome: 'filtered', reason: 'filter', detail: unmet.path }, input: null };
  const found = Object.entries(paths).map(([name, path]) => [name, textOf(valueAt(received, path))] as const);
  return checkedValues(Object.fromEntries(found.filter(([, value]) => value !== null)), fields);
}

export function checkedValues(input: Record<string, unknown>, fields: readonly InputField[]): TeamValues {
  const { error } = inputSchemaOf(fields).safeParse(input);
  if (!error) return { denied: null, input };
  const wrong = error.issues.map((issue) => (issue.code === 'unrecognized_keys' ? issue.keys.join(', ') : issue.path.join('.')));
  return { denied: { outcome: 'failed', reason: 'input', detail: [...new Set(wrong)].join(', ').slice(0, 500) }, input: null };
}
