import type { Point } from '../../../canvas/geometry/camera.ts';

/** Carries out an action. `can` says whether it is enabled; without it the action always is. `place`: where the user invoked it, world px. */
export type ActionHandler = { can?: () => boolean; run: (place?: Point) => void };
