import type { FeatureBundle } from 'framer-motion';
import { importPart } from '../loading/import-part.ts';

let bundle: FeatureBundle | null = null;
let isLoading = false;
let resolve: (features: FeatureBundle) => void = () => undefined;
const whenLoaded = new Promise<FeatureBundle>((done) => {
  resolve = done;
});

/** Fetches what animates. Where it does not arrive, nothing moves, and it is asked for again by the next call. */
export function loadMotion(): void {
  if (isLoading) return;
  isLoading = true;
  void importPart(() => import('./motion-features.ts')).then(
    ({ domAnimation }) => {
      bundle = domAnimation;
      resolve(domAnimation);
    },
    () => {
      isLoading = false;
    },
  );
}

/** What animates, at once if it is there. */
export function motionFeatures(): FeatureBundle | (() => Promise<FeatureBundle>) {
  return bundle ?? (() => whenLoaded);
}

export function isMotionLoaded(): boolean {
  return bundle !== null;
}
