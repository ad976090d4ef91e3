import type { Point } from '../../../canvas/geometry/camera.ts';

/** What carries an action out. `can` is asked each time it is offered; without it it always can. `place`: where it was asked for, world px. */
export type Deed = { can?: () => boolean; run: (place?: Point) => void };
