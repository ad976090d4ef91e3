import { Pause } from '../../ui/icons/icons.ts';
import { ActiveMotion } from './agent-card.tsx';
import styles from './picture.module.css';
import { RunLine, SegmentLight, Segments } from './run-bar.tsx';
import { Grid, PassingLink, Placed, Port, TakenLink } from './scene-parts.tsx';
import { TeamCard } from './team-card.tsx';

const phoneSegments = { x: 72, y: 44, width: 50, gap: 4, height: 6 };

/** Three cards below each other, 440 x 760 px of canvas. */
export function PhoneScene() {
  return (
    <div className={styles.phone}>
      <svg viewBox="0 0 440 760" aria-hidden="true">
        <Grid id="picture-dots-phone" width={440} height={760} />
        <TakenLink d="M324 118H341Q356 118 356 133V210Q356 225 341 225H100Q85 225 85 240V317Q85 332 100 332H120" />
        <TeamCard member="product" x={44} y={40} state="done" figure="0:41" passed={{ in: true, out: true }} />
        <TeamCard member="project" x={120} y={254} state="done" figure="0:47" passed={{ in: true, out: true }} />
        <TeamCard member="lead" x={44} y={468} state="active" figure="0:26" passed={{ in: true, out: false }} />
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
        <PassingLink d="M400 332H405Q420 332 420 347V424Q420 439 405 439H39Q24 439 24 454V531Q24 546 39 546H44" seconds={5} />
        <Port x={400} y={332} passed />
        <Port x={44} y={546} passed />
        <ActiveMotion x={44} y={468} hue="sky" />
        <Placed x={16} y={676}>
          <SegmentLight {...phoneSegments} />
        </Placed>
      </svg>
    </div>
  );
}
