import { useIsPresent, type Variants } from 'framer-motion';
import { useState } from 'react';
import { isMotionLoaded } from './load-motion.ts';

/**
 * The props of an `m` component that enters when it is mounted, and leaves inside an `AnimatePresence`. While it leaves it is inert,
 * without focus and pointer. Before the animations are loaded it is simply visible: a hidden start would stay hidden.
 */
export function useAppearing(variants: Variants) {
  const isPresent = useIsPresent();
  // As at the mount: a visible element does not enter again when the script arrives.
  const [enters] = useState(isMotionLoaded);
  return { variants, initial: enters ? 'hidden' : false, animate: 'shown', exit: 'hidden', inert: !isPresent } as const;
}
