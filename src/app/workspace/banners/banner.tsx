import * as m from 'framer-motion/m';
import type { ReactNode } from 'react';
import type { Notice } from '../../../model/workspace-state.ts';
import { banner } from '../../../ui/motion/transitions.ts';
import { useAppearing } from '../../../ui/motion/use-appearing.ts';
import styles from './banner.module.css';

type BannerProps = {
  tone?: Notice['level'];
  icon: ReactNode;
  role: 'status' | 'alert';
  /** Appears after a short delay, since the state that it reports mostly ends before. */
  late?: boolean;
  children: ReactNode;
};

/** One line that floats over the canvas and says something that the user must know now. */
export function Banner({ tone = 'info', icon, role, late = false, children }: BannerProps) {
  const appearing = useAppearing(banner);
  return (
    <m.div
      {...appearing}
      // A stylesheet holds back a late one, which is often over before the script that animates has come.
      initial={late ? false : appearing.initial}
      className={styles.banner}
      data-tone={tone}
      data-late={late}
      role={role}
      data-testid="banner"
    >
      <span className={styles.icon}>{icon}</span>
      {children}
    </m.div>
  );
}
