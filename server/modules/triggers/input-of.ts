import { type InputField, inputSchemaOf } from '../../../contract/released-team.ts';
import type { FireReason, TriggerSettings } from '../../../contract/trigger.ts';
import { textOf, unmetRule, valueAt } from './read-body.ts';

/** What has come in: a body as text, and the kind of its event as the header of its sender says it. */
export type Arrival = { body: string | null; event: string | null };

/** The kinds of events by which GitHub and Bitbucket try a new webhook. They ask for nothing. */
const pings: ReadonlySet<string | null> = new Set(['ping', 'diagnostics:ping']);

type Read =
  | { denied: null; input: Record<string, unknown> }
  | { denied: { outcome: 'filtered' | 'failed'; reason: FireReason; detail?: string }; input: null };

/**
 * Returns the input of a team by the settings of its trigger: the same values for a schedule, and for a webhook those that stand in its body. A body that a rule
 * does not fit is filtered, and so is a ping. The body of a webhook is JSON, which its receiver has checked.
 */
export function inputOf(settings: TriggerSettings, fields: readonly InputField[], { body, event }: Arrival): Read {
  if (settings.kind === 'schedule') return checked(settings.input, fields);
  if (isPing(settings, event)) return { denied: { outcome: 'filtered', reason: 'ping' }, input: null };
  const received = { body: body === null || body === '' ? {} : (JSON.parse(body) as unknown), event };
  const unmet = settings.kind === 'webhook' ? unmetRule(received, settings.filter) : null;
  if (unmet) return { denied: { outcome: 'filtered', reason: 'filter', detail: unmet.path }, input: null };
  const found = Object.entries(settings.fields).map(([name, path]) => [name, textOf(valueAt(received, path))] as const);
  return checked(Object.fromEntries(found.filter(([, value]) => value !== null)), fields);
}

/** Whether a sender only tries its webhook. */
export function isPing({ kind }: Pick<TriggerSettings, 'kind'>, event: string | null): boolean {
  return kind === 'webhook' && pings.has(event);
}

function checked(input: Record<string, unknown>, fields: readonly InputField[]): Read {
  const { error } = inputSchemaOf(fields).safeParse(input);
  if (!error) return { denied: null, input };
  const wrong = error.issues.map((issue) => (issue.code === 'unrecognized_keys' ? issue.keys.join(', ') : issue.path.join('.')));
  return { denied: { outcome: 'failed', reason: 'input', detail: [...new Set(wrong)].join(', ').slice(0, 500) }, input: null };
}
