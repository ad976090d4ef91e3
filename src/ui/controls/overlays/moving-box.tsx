import type { Variants } from 'framer-motion';
import * as m from 'framer-motion/m';
import { type ComponentProps, useEffect } from 'react';
import { loadMotion } from '../../motion/load-motion.ts';
import { useAppearing } from '../../motion/use-appearing.ts';

type MovingBoxProps = ComponentProps<typeof m.div> & { variants: Variants };

/**
 * A part of an overlay that enters and leaves by framer-motion. Base UI hides an overlay when it closes; this one stays visible
 * until its `AnimatePresence` removes it.
 */
export function MovingBox({ variants, hidden: _hidden, ...props }: MovingBoxProps) {
  useEffect(loadMotion, []);
  return <m.div {...props} {...useAppearing(variants)} />;
}
