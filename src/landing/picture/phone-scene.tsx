import { useTranslation } from '../../ui/i18n/use-translation.ts';
import { Pause } from '../../ui/icons/icons.ts';
import { AskingPulse } from './agent-card.tsx';
import { LinkBadge } from './link-badge.tsx';
import styles from './picture.module.css';
import { RunLine, SegmentLight, Segments } from './run-bar.tsx';
import { BackLink, Grid, PassingLink, Placed, Port, TakenLink } from './scene-parts.tsx';
import { TeamCard } from './team-card.tsx';

const phoneSegments = { x: 72, y: 44, width: 32, gap: 4, height: 6 };

/** A review loop and the person after it, 440 x 760 px of canvas. */
export function PhoneScene() {
  const { t } = useTranslation('landing');
  const round = t('picture.round');
  return (
    <div className={styles.phone}>
      <svg viewBox="0 0 440 760" aria-hidden="true">
        <Grid id="picture-dots-phone" width={440} height={760} />
        <BackLink d="M400 346H403Q418 346 418 331V41Q418 26 403 26H35Q20 26 20 41V117Q20 132 35 132H44" />
        <TakenLink d="M324 132H341Q356 132 356 147V224Q356 239 341 239H100Q85 239 85 254V331Q85 346 100 346H120" />
        <LinkBadge x={220} y={26} of="rework" />
        <TeamCard member="backend" x={44} y={54} state="done" figure={round} passed={{ in: true, out: true }} />
        <TeamCard member="qa" x={120} y={268} state="done" figure={round} passed={{ in: true, out: true }} />
        <TeamCard member="person" x={44} y={482} state="waiting" figure="" passed={{ in: true, out: false }} />
        <Placed x={16} y={676}>
          <rect width="408" height="66" rx="10" className={styles.floating} />
          <rect x="10" y="10" width="46" height="46" rx="8" fill="var(--accent)" />
          <Placed x={24} y={24}>
            <Pause size={18} stroke="var(--on-accent)" strokeWidth={1.75} />
          </Placed>
          <RunLine x={72} y={31} />
          <Segments {...phoneSegments} />
        </Placed>
      </svg>
      <svg className={styles.moving} viewBox="0 0 440 760" aria-hidden="true">
        <PassingLink d="M400 346H411Q426 346 426 361V436Q426 451 411 451H39Q24 451 24 466V545Q24 560 39 560H44" seconds={5} />
        <LinkBadge x={322} y={451} of="accepted" />
        <Port x={400} y={346} passed />
        <Port x={44} y={560} passed />
        <AskingPulse x={44} y={482} />
        <LinkBadge x={184} y={482} of="needsYou" asks />
        <Placed x={16} y={676}>
          <SegmentLight {...phoneSegments} />
        </Placed>
      </svg>
    </div>
  );
}
