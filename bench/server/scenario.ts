import type { Figure } from '../figure.ts';
import type { Stage } from './stage.ts';

export type Scenario = {
  name: string;
  /** Measures, and answers with the figures. Throws when something did not work at all. */
  run: (stage: Stage) => Promise<Figure[]>;
};
