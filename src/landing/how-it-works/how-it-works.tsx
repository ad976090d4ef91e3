import { useAnimationFrame, useInView, useReducedMotion } from 'framer-motion';
import { type RefObject, useRef, useState } from 'react';
import { buttonClass } from '../../ui/controls/buttons/button-class.ts';
import { useTranslation } from '../../ui/i18n/use-translation.ts';
import { ArrowRight } from '../../ui/icons/icons.ts';
import { useIsHydrated } from '../../ui/use-is-hydrated.ts';
import { demoLink } from '../landing-links.ts';
import { Section } from '../sections/section.tsx';
import { beamAt, reachedSteps, steps, travelOn } from './beam-timing.ts';
import styles from './how-it-works.module.css';
import { AgentsPicture, ImplementPicture, PlanPicture, ResultPicture } from './step-pictures.tsx';

/** Created once, so that a reached step renders none of them again. */
const pictures = [
  { key: 'agents', picture: <AgentsPicture /> },
  { key: 'plan', picture: <PlanPicture /> },
  { key: 'implement', picture: <ImplementPicture /> },
  { key: 'result', picture: <ResultPicture /> },
] as const;

/** Four steps on a line with a moving beam. */
export function HowItWorks() {
  const { t } = useTranslation('landing');
  const list = useRef<HTMLOListElement>(null);
  const reached = useBeam(list);
  return (
    <Section id="how-it-works" kicker={t('howItWorks.kicker')} title={t('howItWorks.title')} lead={t('howItWorks.lead')}>
      <ol className={styles.steps} ref={list}>
        {pictures.map(({ key, picture }, index) => (
          <li key={key} className={styles.step} data-reached={index < reached || undefined} style={{ '--step': index }}>
            <div className={styles.rail} aria-hidden="true">
              <span className={styles.stop}>{index + 1}</span>
              <span className={styles.line}>
                <span className={styles.beam} />
                <span className={styles.head} />
              </span>
            </div>
            <div className={styles.words}>
              <p className={styles.name}>{t(`howItWorks.${key}.name`)}</p>
              <h3 className={styles.title}>{t(`howItWorks.${key}.title`)}</h3>
              <p className={styles.text}>{t(`howItWorks.${key}.text`)}</p>
            </div>
            <div className={styles.picture} aria-hidden="true">
              {picture}
            </div>
          </li>
        ))}
      </ol>
      <p className={styles.demo}>
        <a href={demoLink} className={buttonClass({ size: 'l' })}>
          {t('howItWorks.demo')}
          <ArrowRight size={16} aria-hidden />
        </a>
      </p>
    </Section>
  );
}

/** Moves the beam while the list is in view, by its custom property `--beam`, and returns the number of reached steps. */
function useBeam(list: RefObject<HTMLOListElement | null>): number {
  const still = useReducedMotion();
  const isHydrated = useIsHydrated();
  const inView = useInView(list);
  const [reached, setReached] = useState(1);
  const travel = useRef({ elapsed: 0, seenAt: 0 });

  useAnimationFrame((time) => {
    const moves = !still && inView;
    travel.current = travelOn(travel.current, time, moves);
    if (!moves || !list.current) return;
    const beam = beamAt(travel.current.elapsed, matchMedia('(max-width: 767px)').matches);
    list.current.style.setProperty('--beam', beam.toFixed(4));
    setReached(reachedSteps(beam));
  });

  // The prerendered markup knows no preference, and hydration does not correct differences.
  return still && isHydrated ? steps : reached;
}
