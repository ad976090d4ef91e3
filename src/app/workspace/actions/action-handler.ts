import type { Point } from '../../../canvas/geometry/camera.ts';

/** The function of an action. `can` returns whether it is enabled (always, without it). `place`: where it was invoked (world px). */
export type ActionHandler = { can?: () => boolean; run: (place?: Point) => void };
