import { useTranslation } from '../../ui/i18n/use-translation.ts';
import { ActiveMotion } from './agent-card.tsx';
import { DialogCard } from './dialog-card.tsx';
import { MessagesPanel } from './messages-panel.tsx';
import styles from './picture.module.css';
import { RunBar, SegmentLight, wideSegments } from './run-bar.tsx';
import { Grid, PassingLink, PendingLink, Placed, Port, TakenLink } from './scene-parts.tsx';
import { TeamCard } from './team-card.tsx';

const passed = { in: true, out: true };
const notPassed = { in: false, out: false };

/** Seven nodes and a run in its fourth step, 1500 x 845 px of canvas. */
export function WideScene() {
  const { t } = useTranslation('landing');
  return (
    <div className={styles.wide}>
      <svg viewBox="0 0 1500 845" aria-hidden="true">
        <Grid id="picture-dots" width={1500} height={845} />
        <TakenLink d="M369 182H439" />
        <TakenLink d="M719 182H789" />
        <TakenLink d="M1069 182H1139" />
        <PendingLink d="M1069 472H1139" />
        <PendingLink d="M1069 472H1089Q1104 472 1104 487V656Q1104 671 1119 671H1139" />
        <DialogCard x={89} y={64} />
        <TeamCard member="assistant" x={439} y={104} state="done" figure="0:14" passed={passed} />
        <TeamCard member="product" x={789} y={104} state="done" figure="0:41" passed={passed} />
        <TeamCard member="project" x={1139} y={104} state="done" figure="0:47" passed={passed} />
        <TeamCard member="lead" x={789} y={394} state="active" figure="0:26" passed={{ in: true, out: false }} />
        <TeamCard member="frontend" x={1139} y={394} state="waiting" figure={t('picture.queue.fifth')} passed={notPassed} />
        <TeamCard member="backend" x={1139} y={593} state="waiting" figure={t('picture.queue.sixth')} passed={notPassed} />
        <MessagesPanel x={89} y={394} />
        <RunBar x={439} y={749} />
      </svg>
      <svg className={styles.moving} viewBox="0 0 1500 845" aria-hidden="true">
        <PassingLink d="M1419 182H1444Q1459 182 1459 197V317Q1459 332 1444 332H764Q749 332 749 347V457Q749 472 764 472H789" seconds={7.1} />
        <Port x={1419} y={182} passed />
        <Port x={789} y={472} passed />
        <ActiveMotion x={789} y={394} hue="sky" />
        <Placed x={439} y={749}>
          <SegmentLight {...wideSegments} />
        </Placed>
      </svg>
    </div>
  );
}
