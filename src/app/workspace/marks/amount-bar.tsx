import styles from './amount-bar.module.css';

type AmountBarProps = {
  state: 'calm' | 'near' | 'full';
  /** Shares of the limit, up to 1. */
  used: number;
  reserved?: number;
  className?: string | undefined;
};

/** How much of a limit is used, and reserved for what is under way. Its words stand beside it. */
export function AmountBar({ state, used, reserved, className = '' }: AmountBarProps) {
  return (
    <span className={`${styles.bar} ${className}`} data-state={state} aria-hidden>
      <i style={{ width: `${used * 100}%` }} />
      {reserved !== undefined && <i data-reserved style={{ width: `${Math.min(1 - used, reserved) * 100}%` }} />}
    </span>
  );
}
