import { useIsPresent, type Variants } from 'framer-motion';
import { isMotionLoaded } from './load-motion.ts';

/**
 * The props of an `m` component that enters when it is mounted, and leaves inside an `AnimatePresence`. While it leaves it is inert: it
 * has neither the focus nor the pointer. Without the script that animates it is simply there: one that began hidden would stay so.
 */
export function useAppearing(variants: Variants) {
  const isPresent = useIsPresent();
  return { variants, initial: isMotionLoaded() ? 'hidden' : false, animate: 'shown', exit: 'hidden', inert: !isPresent } as const;
}
