import { distinct, type UniqueRows } from '../../../platform/database/unique-rows.ts';
import type { StepRow } from './rows.ts';

/** New steps of one execution: each has an id and a place of its own. */
export function distinctSteps(steps: readonly StepRow[]): UniqueRows<StepRow> {
  return distinct(
    steps,
    ({ stepId }) => stepId,
    ({ orderIndex, round, item }) => `${orderIndex} ${round} ${item}`,
  );
}
