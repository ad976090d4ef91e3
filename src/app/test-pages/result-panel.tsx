import { useTranslation } from '../../ui/i18n/use-translation.ts';
import { CircleCheck, CircleX } from '../../ui/icons/icons.ts';
import type { Outcome } from './outcome.ts';
import styles from './test-page.module.css';

/** The JSON result of a test; empty before the test has run. */
export function ResultPanel({ title, outcome }: { title: string; outcome: Outcome | null }) {
  const { t } = useTranslation('developer');
  return (
    <section
      className={styles.result}
      aria-label={title}
      aria-live="polite"
      data-outcome={outcome ? (outcome.ok ? 'passed' : 'failed') : 'none'}
    >
      {outcome && (
        <>
          <h2>
            {outcome.ok ? <CircleCheck size={15} aria-hidden /> : <CircleX size={15} aria-hidden />}
            {title}
            <span>{t(outcome.ok ? 'passed' : 'failed')}</span>
          </h2>
          {/* Long lines are scrolled by the keyboard too. */}
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls has to be reached */}
          <pre tabIndex={0}>{outcome.json}</pre>
        </>
      )}
    </section>
  );
}
