import type { ReactNode, Ref } from 'react';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import { Logo } from '../../../ui/logo.tsx';
import { LinkPicture } from '../link-picture.tsx';
import styles from './notice-page.module.css';

export type NoticePageProps = {
  icon: ReactNode;
  kicker: string;
  title: string;
  text: string;
  note?: ReactNode;
  /** `whole` if nothing is wrong. */
  link?: 'cut' | 'whole';
  /** The heading that takes the focus when the page replaces another one. */
  titleRef?: Ref<HTMLHeadingElement>;
  children: ReactNode;
};

/** A page that explains why something is not available and what to do. `children` are its buttons. */
export function NoticePage({ icon, kicker, title, text, note, link = 'cut', titleRef, children }: NoticePageProps) {
  const { t } = useTranslation('common');
  return (
    <main className={styles.page}>
      <div className={styles.column}>
        <div className={styles.head}>
          {/* A whole new page: a fault that this page tells of must not be carried over. */}
          <a href="/" className={styles.brand}>
            <Logo size={28} />
            {t('product')}
          </a>
          <LinkPicture state={link} />
        </div>
        <p className={styles.kicker}>
          {icon}
          {kicker}
        </p>
        <h1 ref={titleRef} tabIndex={titleRef ? -1 : undefined} className={styles.title}>
          {title}
        </h1>
        <p className={styles.text}>{text}</p>
        <div className={styles.note} aria-live="polite">
          {note}
        </div>
        <div className={styles.actions}>{children}</div>
      </div>
    </main>
  );
}
