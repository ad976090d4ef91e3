import type { FeatureBundle } from 'framer-motion';
import { importPart } from '../loading/import-part.ts';

let bundle: FeatureBundle | null = null;
let isLoading = false;
let resolve: (features: FeatureBundle) => void = () => undefined;
const whenLoaded = new Promise<FeatureBundle>((done) => {
  resolve = done;
});

/** Loads the animations. After a failure there are none, and the next call retries. */
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

/** Returns the animations if they are loaded. */
export function motionFeatures(): FeatureBundle | (() => Promise<FeatureBundle>) {
  return bundle ?? (() => whenLoaded);
}

export function isMotionLoaded(): boolean {
  return bundle !== null;
}
