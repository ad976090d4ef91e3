import { useCallback, useEffect, useMemo, useState } from 'react';
import type { CallInput, ResponseTo, Sending } from '../../../../contract/call.ts';
import type { RouteName } from '../../../../contract/routes.ts';
import type { Answered, Call } from '../../../model/call.ts';
import type { Problem } from '../../../model/problem.ts';
import { useCall } from '../../../workers/bridge/use-workspace.ts';

export type RemoteData<T> = { value: T | null; problem: Problem | null; loading: boolean; again: () => void };

type Loaded<T> = { key: string | null; value: T | null; problem: Problem | null };

/** Loads the answer to a call. */
export function useRemoteData<R extends RouteName>(
  route: R,
  input: CallInput<R>,
  key: string | null,
  subject?: string | null,
): RemoteData<ResponseTo<R>> {
  return useAnswer((call) => call(route, ...([input] as unknown as Sending<R>)), key, subject);
}

/**
 * Loads remote data while `key` is not null, and again when it changes. The data of the same `subject` (the key
 * unless given) is shown until the new response arrives.
 */
export function useAnswer<T>(load: (call: Call) => Promise<Answered<T>>, key: string | null, subject: string | null = key): RemoteData<T> {
  const call = useCall();
  const [loaded, setLoaded] = useState<Loaded<T> & { subject: string | null }>({
    key: null,
    subject: null,
    value: null,
    problem: null,
  });
  const [tries, setTries] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key identifies the data
  useEffect(() => {
    if (key === null) return;
    let asked = true;
    void load(call).then((answer) => {
      if (!asked) return;
      setLoaded((before) =>
        answer.ok
          ? { key, subject, value: answer.value, problem: null }
          : { key, subject, value: before.subject === subject ? before.value : null, problem: answer.error },
      );
    });
    return () => {
      asked = false;
    };
  }, [call, key, tries]);
  const again = useCallback(() => {
    setLoaded((before) => ({ ...before, key: null, problem: null }));
    setTries((count) => count + 1);
  }, []);
  const value = subject !== null && loaded.subject === subject ? loaded.value : null;
  const problem = loaded.key === key ? loaded.problem : null;
  const loading = key !== null && loaded.key !== key;
  return useMemo(() => ({ value, problem, loading, again }), [value, problem, loading, again]);
}
