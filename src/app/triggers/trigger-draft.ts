import { z } from 'zod';
import type { InputField, ReleasedTeam } from '../../../contract/released-team.ts';
import { type Trigger, type TriggerKind, triggerCreation } from '../../../contract/trigger.ts';
import type { ZodForm } from '../../ui/form/use-zod-form.ts';
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

export type TriggerFields = ZodForm<Draft, z.output<ReturnType<typeof triggerFields>>>;

/** The form of a trigger of one of the teams, and what is sent of it. What is wrong stands at its field: `name`, `cron`, `fields.title`, `filter.0.path`. */
export const triggerFields = (teams: readonly ReleasedTeam[]) =>
  z.custom<Draft>().transform((draft, { addIssue }) => {
    const { name, teamId, overlap, missed, graceMinutes } = draft;
    const kind = draftOfKind(draft);
    const all = filledFields(teams.find(({ id }) => id === teamId));
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
    const typed = (path: PropertyKey[]) =>
      path.filter((part) => part !== 'settings').map((part) => (part === 'graceSeconds' ? 'graceMinutes' : part));
    const wrong = [...(error?.issues ?? []).map(({ path }) => typed(path)), ...kind.wrong(settings, all).map((path) => path.split('.'))];
    for (const path of wrong) addIssue({ code: 'custom', path });
    return creation;
  });
