/** The product's logo. */
export function Logo({ size = 28 }: { size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 28 28" aria-hidden="true">
      <rect width="28" height="28" rx="7" fill="var(--accent)" />
      <path d="M8 19.6 13.4 8.6M14.6 8.6 20 19.6" fill="none" stroke="var(--on-accent)" strokeWidth="2" strokeLinecap="round" />
      <g fill="var(--on-accent)">
        <circle cx="14" cy="8" r="2.7" />
        <circle cx="8" cy="20" r="2.7" />
        <circle cx="20" cy="20" r="2.7" />
      </g>
    </svg>
  );
}
