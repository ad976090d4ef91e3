import { useState } from 'react';
import { useTranslation } from '../../ui/i18n/use-translation.ts';
import { Minus, Plus } from '../../ui/icons/icons.ts';
import styles from './faq.module.css';
import { Section } from './section.tsx';

const questions = ['security', 'quality', 'integrations', 'zapier', 'customization'] as const;

/** Five questions, at most one of them open: opening one closes the other, and an open one closes when it is pressed. */
export function Faq() {
  const { t } = useTranslation('offer');
  const [open, setOpen] = useState<(typeof questions)[number] | null>('security');
  return (
    <Section id="faq" on="surface" layout="beside" kicker={t('faq.kicker')} title={t('faq.title')} lead={t('faq.lead')}>
      <ul>
        {questions.map((key) => {
          const isOpen = key === open;
          return (
            <li key={key} className={styles.item}>
              <h3>
                <button
                  type="button"
                  id={`faq-${key}`}
                  className={styles.question}
                  aria-expanded={isOpen}
                  aria-controls={`faq-${key}-answer`}
                  onClick={() => setOpen(isOpen ? null : key)}
                >
                  {t(`faq.${key}.question`)}
                  {isOpen ? <Minus size={18} strokeWidth={1.75} /> : <Plus size={18} strokeWidth={1.75} />}
                </button>
              </h3>
              <div id={`faq-${key}-answer`} className={styles.fold} data-open={isOpen || undefined}>
                <p className={styles.answer}>{t(`faq.${key}.answer`)}</p>
              </div>
            </li>
          );
        })}
      </ul>
    </Section>
  );
}
