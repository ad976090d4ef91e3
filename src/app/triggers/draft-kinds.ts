import { type InputField, inputSchemaOf } from '../../../contract/released-team.ts';
import {
  eventPath,
  type FilterRule,
  type SettingsOf,
  type Trigger,
  type TriggerKind,
  type WebhookScheme,
} from '../../../contract/trigger.ts';
import { pathsOf } from './webhook-example.ts';

/** A trigger as it is typed: the fields of all kinds. */
export type Draft = {
  kind: TriggerKind;
  name: string;
  teamId: string;
  cron: string;
  zone: string;
  /** The values of the team's fields. */
  input: Record<string, string>;
  scheme: WebhookScheme;
  filter: FilterRule[];
  /** Where they stand in what comes in. */
  fields: Record<string, string>;
  label: string;
  takesMentions: boolean;
  repairs: boolean;
  showsOthers: boolean;
  everyMinutes: string;
  overlap: Trigger['overlap'];
  missed: Trigger['missed'];
  graceMinutes: string;
};

/** How the settings of a kind of trigger are typed. */
type DraftOfKind<Kind extends TriggerKind> = {
  /** What happens at first while an earlier run is under way; null where a person has no choice. */
  overlap: Trigger['overlap'] | null;
  read: (settings: SettingsOf<Kind>) => Partial<Draft>;
  /** `all`: the fields of the team that a trigger can fill. */
  settings: (draft: Draft, all: readonly InputField[]) => SettingsOf<Kind>;
  /** The names of fields without the value that they need. */
  wrong: (settings: SettingsOf<Kind>, all: readonly InputField[]) => string[];
};

const draftKinds: { [Kind in TriggerKind]: DraftOfKind<Kind> } = {
  schedule: {
    overlap: 'skip',
    read: ({ cron, zone, input }) => ({ cron, zone, input }),
    settings: ({ cron, zone, input }, all) => ({ kind: 'schedule', cron, zone, input: given(all, ({ name }) => input[name] ?? '') }),
    wrong: ({ input }, all) => (inputSchemaOf(all).safeParse(input).error?.issues ?? []).map(({ path }) => `input.${String(path[0])}`),
  },
  webhook: {
    overlap: 'queue',
    read: ({ scheme, filter, fields }) => ({ scheme, filter, fields }),
    settings: (draft, all) => ({
      kind: 'webhook',
      scheme: draft.scheme,
      filter: draft.filter,
      fields: given(all, (field) => pathOf(bodyPaths, draft, field, all)),
    }),
    wrong: withoutPath,
  },
  forge: {
    overlap: null,
    read: ({ kind: _, everyMinutes, ...more }) => ({ ...more, everyMinutes: String(everyMinutes) }),
    settings: (draft, all) => {
      const { label, takesMentions, repairs, showsOthers, everyMinutes } = draft;
      const fields = given(all, (field) => pathOf(eventPaths, draft, field, all));
      return { kind: 'forge', label, takesMentions, repairs, showsOthers, everyMinutes: Number(everyMinutes), fields };
    },
    wrong: withoutPath,
  },
};

export function draftOfKind<Kind extends TriggerKind>({ kind }: { kind: Kind }): DraftOfKind<Kind> {
  return draftKinds[kind];
}

/** The paths by which values of fields are found in what comes in. */
export type Paths = {
  offered: (draft: Draft) => readonly string[];
  /** Where the value of a field is likely to stand; empty for no guess. */
  guess: (draft: Draft, field: InputField, all: readonly InputField[]) => string;
};

export const bodyPaths: Paths = {
  offered: ({ scheme }) => [...pathsOf(scheme), eventPath],
  guess: ({ scheme }, { name }) => pathsOf(scheme).find((path) => path.split('.').at(-1) === name) ?? '',
};

const eventParts = ['title', 'text', 'author', 'number', 'url'] as const;
export const eventPaths: Paths = {
  offered: () => eventParts,
  guess: (_draft, { name, isOptional }, all) => {
    if (eventParts.some((part) => part === name)) return name;
    return !isOptional && all.filter((field) => !field.isOptional).length === 1 ? 'text' : '';
  },
};

/** Where the value of a field stands: what is typed goes before a guess. */
export function pathOf({ guess }: Paths, draft: Draft, field: InputField, all: readonly InputField[]): string {
  return draft.fields[field.name] ?? guess(draft, field, all);
}

function given(all: readonly InputField[], value: (field: InputField) => string): Record<string, string> {
  return Object.fromEntries(all.flatMap((field) => (value(field).trim() === '' ? [] : [[field.name, value(field)]])));
}

function withoutPath({ fields }: { fields: Readonly<Record<string, string>> }, all: readonly InputField[]): string[] {
  return all.filter(({ name, isOptional }) => !isOptional && !Object.hasOwn(fields, name)).map(({ name }) => `fields.${name}`);
}
