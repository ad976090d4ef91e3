import { useIsPresent, type Variants } from 'framer-motion';
import { useState } from 'react';
import { isMotionLoaded } from './load-motion.ts';

/**
 * The props of an `m` component that enters when it is mounted, and leaves inside an `AnimatePresence`. While it leaves it is inert: it
 * has neither the focus nor the pointer. Without the script that animates it is simply there: one that began hidden would stay so.
 */
export function useAppearing(variants: Variants) {
  const isPresent = useIsPresent();
  // As at the mount: what is on the screen already does not enter again when the script arrives.
  const [enters] = useState(isMotionLoaded);
  return { variants, initial: enters ? 'hidden' : false, animate: 'shown', exit: 'hidden', inert: !isPresent } as const;
}
