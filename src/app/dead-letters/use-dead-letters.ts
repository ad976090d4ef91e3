import { useState } from 'react';
import type { DeadLetter } from '../../../contract/executions/dead-letter.ts';
import { everyPage } from '../../model/every-page.ts';
import { useMutation } from '../server-data/use-mutation.ts';
import { useLoad } from '../server-data/use-read.ts';

type Settled = { kind: 'retried' | 'removed'; of: DeadLetter['kind'] };

/** The dead letters for staff. */
export function useDeadLetters() {
  const list = useLoad('deadLetter.list', {}, (call) => everyPage((query) => call('deadLetter.list', { query })));
  // A refused retry says that a letter is gone, or its work: the list has both.
  const { call, isBusy, problem, clear } = useMutation({ invalidates: ['deadLetter.list'] });
  /** The letter that was retried or removed last, and the outcome; null before one. */
  const [last, setLast] = useState<{ id: string; outcome: Settled | null } | null>(null);
  const settle = async ({ id, kind: of }: DeadLetter, kind: Settled['kind']): Promise<void> => {
    if (isBusy) return;
    setLast({ id, outcome: null });
    const isDone = await call(kind === 'retried' ? 'deadLetter.retry' : 'deadLetter.remove', { params: { id } });
    if (isDone) setLast({ id, outcome: { kind, of } });
  };
  return {
    list,
    problem: problem ?? list.problem,
    isForbidden: [problem, list.problem].some((one) => one?.code === 'forbidden'),
    busyId: isBusy ? (last?.id ?? null) : null,
    outcome: last?.outcome ?? null,
    reload: () => {
      clear();
      setLast(null);
      list.again();
    },
    /** Retries the work. */
    retry: (letter: DeadLetter) => settle(letter, 'retried'),
    /** Removes the letter from the list. */
    remove: (letter: DeadLetter) => settle(letter, 'removed'),
  };
}
