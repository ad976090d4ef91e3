import type { InputField, ReleasedTeam } from '../../../contract/released-team.ts';
import { inputSchemaOf } from '../../../contract/released-team.ts';
import {
  type FilterRule,
  type Trigger,
  type TriggerCreation,
  type TriggerSettings,
  triggerCreation,
  type WebhookScheme,
} from '../../../contract/trigger.ts';
import { pathsOf } from './webhook-example.ts';

export type Kind = Trigger['kind'];

/** A trigger as it is typed: the fields of all kinds. */
export type Draft = {
  kind: Kind;
  name: string;
  teamId: string;
  cron: string;
  zone: string;
  /** The values of the team's fields. */
  input: Record<string, string>;
  scheme: WebhookScheme;
  filter: (FilterRule & { key: number })[];
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

/** Parts of an event of a forge. */
export const eventParts = ['title', 'text', 'author', 'number', 'url'] as const;

export function newDraft(kind: Kind, { name, teamId, zone }: { name: string; teamId: string; zone: string }): Draft {
  return {
    ...{ kind, name, teamId, zone, cron: '0 9 * * 1-5', input: {}, scheme: 'standard', filter: [], fields: {} },
    ...{ label: 'artel', takesMentions: true, repairs: false, showsOthers: false, everyMinutes: '2' },
    ...{ overlap: kind === 'webhook' ? 'queue' : 'skip', missed: 'once', graceMinutes: '60' },
  };
}

export function draftOf({ kind, name, team, settings, overlap, missed, graceSeconds }: Trigger, zone: string): Draft {
  const base = { ...newDraft(kind, { name, teamId: team?.id ?? '', zone }), overlap, missed, graceMinutes: String(graceSeconds / 60) };
  switch (settings.kind) {
    case 'schedule':
      return { ...base, cron: settings.cron, zone: settings.zone, input: settings.input };
    case 'webhook':
      return { ...base, scheme: settings.scheme, filter: settings.filter.map((rule, key) => ({ ...rule, key })), fields: settings.fields };
    case 'forge': {
      const { kind: _, everyMinutes, ...more } = settings;
      return { ...base, ...more, everyMinutes: String(everyMinutes) };
    }
  }
}

/** The fields of a team that a trigger can fill: what comes in is text. */
export function filledFields(team: ReleasedTeam | undefined): InputField[] {
  return (team?.input ?? []).filter(({ kind }) => kind !== 'file');
}

/** Where the value of a field is likely to stand: what is typed goes before. Empty for no guess. */
export function pathOf({ kind, scheme, fields }: Draft, { name, isOptional }: InputField, all: readonly InputField[]): string {
  const typed = fields[name];
  if (typed !== undefined) return typed;
  if (kind === 'forge') {
    if (eventParts.some((part) => part === name)) return name;
    return !isOptional && all.filter((field) => !field.isOptional).length === 1 ? 'text' : '';
  }
  return pathsOf(scheme).find((path) => path.split('.').at(-1) === name) ?? '';
}

type Read = { creation: Omit<TriggerCreation, 'budget'>; wrong: ReadonlySet<string> };

/** Returns what is typed as the server takes it, with the names of what is wrong: `name`, `cron`, `fields.title`, `filter.0.path`. */
export function readDraft(draft: Draft, team: ReleasedTeam | undefined): Read {
  const { name, teamId, overlap, missed, graceMinutes } = draft;
  const settings = settingsOf(draft, team);
  const creation = {
    name,
    teamId,
    settings,
    ...(draft.kind !== 'forge' && { overlap }),
    missed,
    graceSeconds: Math.round(Number(graceMinutes) * 60),
  };
  const { error } = triggerCreation.omit({ budget: true }).safeParse(creation);
  const wrong = (error?.issues ?? []).map(({ path }) => path.filter((part) => part !== 'settings').join('.'));
  return { creation, wrong: new Set([...wrong, ...wrongFields(settings, filledFields(team))]) };
}

function settingsOf(draft: Draft, team: ReleasedTeam | undefined): TriggerSettings {
  const all = filledFields(team);
  const given = (value: (field: InputField) => string) =>
    Object.fromEntries(all.flatMap((field) => (value(field).trim() === '' ? [] : [[field.name, value(field)]])));
  switch (draft.kind) {
    case 'schedule':
      return { kind: 'schedule', cron: draft.cron, zone: draft.zone, input: given(({ name }) => draft.input[name] ?? '') };
    case 'webhook':
      return {
        kind: 'webhook',
        scheme: draft.scheme,
        filter: draft.filter.map(({ key: _, ...rule }) => rule),
        fields: given((field) => pathOf(draft, field, all)),
      };
    case 'forge': {
      const { label, takesMentions, repairs, showsOthers, everyMinutes } = draft;
      const fields = given((field) => pathOf(draft, field, all));
      return { kind: 'forge', label, takesMentions, repairs, showsOthers, everyMinutes: Number(everyMinutes), fields };
    }
  }
}

function wrongFields(settings: TriggerSettings, all: readonly InputField[]): string[] {
  if (settings.kind === 'schedule') {
    const { error } = inputSchemaOf(all).safeParse(settings.input);
    return (error?.issues ?? []).map(({ path }) => `input.${String(path[0])}`);
  }
  return all.filter(({ name, isOptional }) => !isOptional && !Object.hasOwn(settings.fields, name)).map(({ name }) => `fields.${name}`);
}
