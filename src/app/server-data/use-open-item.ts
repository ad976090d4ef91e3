import { useState } from 'react';
import type { CallInput, ResponseTo } from '../../../contract/call.ts';
import type { RouteName } from '../../../contract/routes.ts';
import { type ReadOptions, useRead } from './use-read.ts';

/** Reads more of the item of a list that is open. None is open where that cannot be read. */
export function useOpenItem<R extends RouteName>(route: R, inputOf: (id: string) => CallInput<R>, options?: ReadOptions<ResponseTo<R>>) {
  const [wanted, want] = useState<string | null>(null);
  const { value, problem, again } = useRead(route, wanted === null ? null : inputOf(wanted), options);
  const openId = value === null && problem !== null ? null : wanted;
  const open = (id: string | null) => {
    want(id);
    if (id !== null && id === wanted) again();
  };
  return { value, problem, openId, open };
}
