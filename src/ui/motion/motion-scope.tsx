import { LazyMotion, MotionConfig } from 'framer-motion';
import { type ReactNode, useState } from 'react';
import { motionFeatures } from './load-motion.ts';

/** The scope of `m` components. They do not move until `loadMotion` has loaded the animations, and only fade with reduced motion. */
export function MotionScope({ children }: { children: ReactNode }) {
  const [features] = useState(motionFeatures);
  return (
    <LazyMotion features={features} strict>
      <MotionConfig reducedMotion="user">{children}</MotionConfig>
    </LazyMotion>
  );
}
