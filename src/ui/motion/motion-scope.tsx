import { LazyMotion, MotionConfig } from 'framer-motion';
import { type ReactNode, useState } from 'react';
import { motionFeatures } from './load-motion.ts';

/** Where `m` components may move. They stand still until `loadMotion` has fetched what animates them, and do not slide for a person who asked for less motion. */
export function MotionScope({ children }: { children: ReactNode }) {
  const [features] = useState(motionFeatures);
  return (
    <LazyMotion features={features} strict>
      <MotionConfig reducedMotion="user">{children}</MotionConfig>
    </LazyMotion>
  );
}
