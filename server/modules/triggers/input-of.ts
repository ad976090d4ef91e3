import { type InputField, inputSchemaOf } from '../../../contract/released-team.ts';
import type { FireReason, TriggerSettings } from '../../../contract/trigger.ts';
import { textOf, unmetRule, valueAt } from './read-body.ts';

type Read =
  | { denied: null; input: Record<string, unknown> }
  | { denied: { outcome: 'filtered' | 'failed'; reason: FireReason; detail?: string }; input: null };

/**
 * Returns the input of a team by the settings of its trigger: the same values for a schedule, and for a webhook those that stand in its body. A body that a rule
 * does not fit is filtered. The body of a webhook is JSON, which its receiver has checked.
 */
export function inputOf(settings: TriggerSettings, fields: readonly InputField[], body: string | null): Read {
  if (settings.kind === 'schedule') return checked(settings.input, fields);
  const parsed: unknown = body === null || body === '' ? {} : JSON.parse(body);
  const unmet = settings.kind === 'webhook' ? unmetRule(parsed, settings.filter) : null;
  if (unmet) return { denied: { outcome: 'filtered', reason: 'filter', detail: unmet.path }, input: null };
  const found = Object.entries(settings.fields).map(([name, path]) => [name, textOf(valueAt(parsed, path))] as const);
  return checked(Object.fromEntries(found.filter(([, value]) => value !== null)), fields);
}

function checked(input: Record<string, unknown>, fields: readonly InputField[]): Read {
  const { error } = inputSchemaOf(fields).safeParse(input);
  if (!error) return { denied: null, input };
  const wrong = error.issues.map((issue) => (issue.code === 'unrecognized_keys' ? issue.keys.join(', ') : issue.path.join('.')));
  return { denied: { outcome: 'failed', reason: 'input', detail: [...new Set(wrong)].join(', ').slice(0, 500) }, input: null };
}
