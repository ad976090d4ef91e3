/** The product's logo. */
export function WorkspaceMark() {
  return (
    <svg width="24" height="24" viewBox="0 0 24 24" aria-hidden>
      <rect width="24" height="24" rx="6" fill="var(--accent)" />
      <path d="M6.6 17 12 7l5.4 10" fill="none" stroke="var(--on-accent)" strokeWidth="1.8" strokeLinejoin="round" strokeLinecap="round" />
      <circle cx="12" cy="6.8" r="2.1" fill="var(--on-accent)" />
      <circle cx="6.6" cy="17" r="2.1" fill="var(--on-accent)" />
      <circle cx="17.4" cy="17" r="2.1" fill="var(--on-accent)" />
    </svg>
  );
}
