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
  /** Appears after a short delay, since the state that it reports is often brief. */
  late?: boolean;
  children: ReactNode;
};

/** One line over the canvas with an urgent message. */
export function Banner({ tone = 'info', icon, role, late = false, children }: BannerProps) {
  const appearing = useAppearing(banner);
  return (
    <m.div
      {...appearing}
      // The delay is in CSS: a brief state may end before the animation script has loaded.
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
