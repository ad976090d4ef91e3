import type { Figure } from '../figure.ts';
import type { Stage } from './stage.ts';

export type Scenario = {
  name: string;
  /** Measures and returns the figures. Throws when a part fails. */
  run: (stage: Stage) => Promise<Figure[]>;
};
