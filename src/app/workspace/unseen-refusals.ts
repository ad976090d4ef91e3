import { useEffect } from 'react';
import type { UnseenRefusal } from '../../canvas/overlay/dialog/dialog-drafts.ts';
import { Observable } from '../../state/observable.ts';
import { useDispatch } from '../../workers/bridge/use-workspace.ts';

/** Refusals of messages whose forms are not on the page. They wait here for the next workspace when the user switches projects. */
class UnseenRefusals extends Observable {
  #waiting: readonly UnseenRefusal[] = [];

  readonly add = (refusal: UnseenRefusal): void => {
    this.#waiting = [...this.#waiting, refusal];
    this.notify();
  };

  /** Returns the waiting refusals, and forgets them. */
  take(): readonly UnseenRefusal[] {
    const taken = this.#waiting;
    this.#waiting = [];
    return taken;
  }
}

export const unseenRefusals = new UnseenRefusals();

/** Reports the refusals as notices of the workspace that is open. */
export function useReportRefusals(): void {
  const dispatch = useDispatch();
  useEffect(() => {
    const report = () => {
      for (const refusal of unseenRefusals.take()) void dispatch({ type: 'dialog.reportRefusal', ...refusal });
    };
    report();
    return unseenRefusals.subscribe(report);
  }, [dispatch]);
}
