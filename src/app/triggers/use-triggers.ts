import { useState } from 'react';
import type { Trigger, TriggerCreation, TriggerUpdate } from '../../../contract/trigger.ts';
import { useMutation } from '../server-data/use-mutation.ts';
import { useRead } from '../server-data/use-read.ts';

/** A secret that is shown once. `earlierUntil`: how long the one before is valid too. */
type ShownSecret = { triggerId: string; secret: string; earlierUntil: string | null };

/** The pause before an open trigger is read again (ms): something may have come in. */
const lookAgainMs = 4_000;

/** The triggers of a project, all that is known of one of them, and what changes them. L4.02 */
export function useTriggers(projectId: string, openId: string | null) {
  const params = { id: projectId };
  const list = useRead('trigger.list', { params }, { when: openId });
  const teams = useRead('releasedTeam.list', { params });
  const open = useRead('trigger.get', openId === null ? null : { params: { ...params, triggerId: openId } }, {
    pauseMs: (trigger) => trigger && lookAgainMs,
  });
  const { call, ask, remove, isBusy, problem } = useMutation({ invalidates: ['trigger.list', 'trigger.get'], about: openId });
  /** It is gone when the window closes. */
  const [secret, setSecret] = useState<ShownSecret | null>(null);
  return {
    ...{ projectId, list, secret, isBusy, call, ask },
    teams: teams.value ?? [],
    /** Null while they load. */
    details: open.value,
    problem: problem ?? teams.problem ?? open.problem,
    /** Returns the new trigger. After a lost answer it may be in the list, without its secret: another one is then to be made. */
    create: async (body: TriggerCreation): Promise<Trigger | null> => {
      const made = await call('trigger.create', { params, body }, ({ id, secret: text }) => {
        if (text !== null) setSecret({ triggerId: id, secret: text, earlierUntil: null });
      });
      return made?.value ?? null;
    },
    change: async (triggerId: string, body: TriggerUpdate) =>
      (await call('trigger.update', { params: { ...params, triggerId }, body })) !== null,
    remove: (triggerId: string, gone: () => void) =>
      remove('trigger.remove', { params: { ...params, triggerId } }, () => {
        setSecret((shown) => (shown?.triggerId === triggerId ? null : shown));
        gone();
      }),
    renewSecret: async (triggerId: string) => {
      const input = { params: { ...params, triggerId } };
      return (await call('trigger.renewSecret', input, (renewed) => setSecret({ triggerId, ...renewed }))) !== null;
    },
    /** Starts a run with what came then. */
    again: (triggerId: string, key: string) => call('trigger.again', { params: { ...params, triggerId, key } }),
  };
}

export type Triggers = ReturnType<typeof useTriggers>;
