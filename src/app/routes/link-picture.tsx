import styles from './notices/notice-page.module.css';

/** A picture of two cards and the link between them, cut or whole. */
export function LinkPicture({ state }: { state: 'cut' | 'whole' }) {
  return (
    <svg className={styles.link} width="440" height="76" viewBox="0 0 440 76" fill="none" aria-hidden="true">
      <rect x="0.5" y="0.5" width="150" height="70" rx="10" fill="var(--raised)" stroke="var(--line)" />
      {state === 'cut' ? (
        <>
          <rect x="290.5" y="0.5" width="149" height="70" rx="10" fill="var(--surface)" stroke="var(--line)" strokeDasharray="5 4" />
          <path d="M151 36h46" stroke="var(--control-border)" strokeWidth="2" />
          <path d="M243 36h44" stroke="var(--control-border)" strokeWidth="2" strokeDasharray="2 6" strokeLinecap="round" />
          <circle cx="151" cy="36" r="5" fill="var(--control-border)" />
          <circle cx="290" cy="36" r="5" fill="var(--page)" stroke="var(--control-border)" strokeWidth="2" />
          <path d="m212 28 16 16m0-16-16 16" stroke="var(--danger)" strokeWidth="2.5" strokeLinecap="round" />
        </>
      ) : (
        <>
          <rect x="290.5" y="0.5" width="149" height="70" rx="10" fill="var(--raised)" stroke="var(--line)" />
          <path d="M151 36h139" stroke="var(--accent)" strokeWidth="2" />
          <circle cx="151" cy="36" r="5" fill="var(--accent)" />
          <circle cx="290" cy="36" r="5" fill="var(--accent)" />
        </>
      )}
    </svg>
  );
}
