import type { InputField, ReleasedTeam } from '../../../contract/released-team.ts';
import { type Trigger, type TriggerCreation, type TriggerKind, triggerCreation } from '../../../contract/trigger.ts';
import { type Draft, draftOfKind } from './draft-kinds.ts';

export function newDraft(kind: TriggerKind, { name, teamId, zone }: { name: string; teamId: string; zone: string }): Draft {
  return {
    ...{ kind, name, teamId, zone, cron: '0 9 * * 1-5', input: {}, scheme: 'standard', filter: [], fields: {} },
    ...{ label: 'artel', takesMentions: true, repairs: false, showsOthers: false, everyMinutes: '2' },
    ...{ overlap: draftOfKind({ kind }).overlap ?? 'skip', missed: 'once', graceMinutes: '60' },
  };
}

export function draftOf({ kind, name, team, settings, overlap, missed, graceSeconds }: Trigger, zone: string): Draft {
  const base = { ...newDraft(kind, { name, teamId: team?.id ?? '', zone }), overlap, missed, graceMinutes: String(graceSeconds / 60) };
  return { ...base, ...draftOfKind(settings).read(settings) };
}

/** The fields of a team that a trigger can fill: what comes in is text. */
export function filledFields(team: ReleasedTeam | undefined): InputField[] {
  return (team?.input ?? []).filter(({ kind }) => kind !== 'file');
}

type Read = { creation: Omit<TriggerCreation, 'budget'>; wrong: ReadonlySet<string> };

/** Returns what is typed as the server takes it, with the names of what is wrong: `name`, `cron`, `fields.title`, `filter.0.path`. */
export function readDraft(draft: Draft, team: ReleasedTeam | undefined): Read {
  const { name, teamId, overlap, missed, graceMinutes } = draft;
  const kind = draftOfKind(draft);
  const all = filledFields(team);
  const settings = kind.settings(draft, all);
  const creation = {
    name,
    teamId,
    settings,
    ...(kind.overlap !== null && { overlap }),
    missed,
    graceSeconds: Math.round(Number(graceMinutes) * 60),
  };
  const { error } = triggerCreation.omit({ budget: true }).safeParse(creation);
  const wrong = (error?.issues ?? []).map(({ path }) => path.filter((part) => part !== 'settings').join('.'));
  return { creation, wrong: new Set([...wrong, ...kind.wrong(settings, all)]) };
}
