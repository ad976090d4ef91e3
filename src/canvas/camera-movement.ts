import type { CanvasView, EphemeralState } from './canvas-view.ts';
import type { Camera } from './geometry/camera.ts';

const animationMs = 200;

/** The current animation of each view. A new one replaces it. */
const animations = new WeakMap<CanvasView, { target: Camera; last: Camera }>();

/**
 * Animates the camera to `target` in 200 ms. Sets it at once if the user prefers reduced motion or the view is static. Any other camera
 * change ends the animation.
 */
export function moveCamera(view: CanvasView, target: Camera): void {
  if (view.isStatic || matchMedia('(prefers-reduced-motion: reduce)').matches) {
    animations.delete(view);
    view.update({ camera: target });
    return;
  }
  const from = view.ephemeral.camera;
  const animation = { target, last: from };
  animations.set(view, animation);
  const begin = performance.now();
  const step = (now: number) => {
    if (animations.get(view) !== animation || view.ephemeral.camera !== animation.last) return;
    const share = Math.min(1, Math.max(0, (now - begin) / animationMs));
    const eased = 1 - (1 - share) ** 3;
    animation.last =
      share === 1
        ? target
        : {
            x: from.x + (target.x - from.x) * eased,
            y: from.y + (target.y - from.y) * eased,
            zoom: from.zoom + (target.zoom - from.zoom) * eased,
          };
    view.update({ camera: animation.last });
    if (share < 1) requestAnimationFrame(step);
  };
  requestAnimationFrame(step);
}

/** Returns the target of the current animation, else the current camera. */
export function cameraTarget(view: CanvasView): Camera {
  const animation = animations.get(view);
  return animation?.last === view.ephemeral.camera ? animation.target : view.ephemeral.camera;
}

/**
 * The view as it will be when its camera has arrived. What moves the camera next starts from there, and not from a moment of the way: else two
 * quick presses of a button move it less than two slow ones.
 */
export function atRest(view: CanvasView): EphemeralState {
  return { ...view.ephemeral, camera: cameraTarget(view) };
}
