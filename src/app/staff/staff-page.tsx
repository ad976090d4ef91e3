import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { buttonClass } from '../../ui/controls/buttons/button-class.ts';
import { ArrowLeft } from '../../ui/icons/icons.ts';
import { LanguageSwitch } from '../../ui/language-switch.tsx';
import { Logo } from '../../ui/logo.tsx';
import { ThemeToggle } from '../../ui/theme-toggle.tsx';
import { usePageTitle } from '../../ui/use-page-title.ts';
import styles from './staff-page.module.css';

type StaffPageProps = { title: string; lead: string /** What the link to the workspace says. */; back: string; children: ReactNode };

/** The layout of a page for staff: a bar with a link to the workspace, and a heading above the list. */
export function StaffPage({ title, lead, back, children }: StaffPageProps) {
  usePageTitle(title);
  return (
    <div className={styles.page}>
      <header className={styles.bar}>
        <Link to="/test-project" className={buttonClass({ variant: 'ghost', size: 's' })}>
          <ArrowLeft size={16} aria-hidden />
          {back}
        </Link>
        <span className={styles.switches}>
          <LanguageSwitch />
          <ThemeToggle />
        </span>
      </header>
      <main className={styles.main}>
        <div className={styles.head}>
          <Logo size={36} />
          <div>
            <h1>{title}</h1>
            <p>{lead}</p>
          </div>
        </div>
        {children}
      </main>
    </div>
  );
}
