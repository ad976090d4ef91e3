import { useTranslation } from '../../ui/i18n/use-translation.ts';
import { AskingPulse } from './agent-card.tsx';
import { BudgetPanel } from './budget-panel.tsx';
import { DialogCard } from './dialog-card.tsx';
import { LinkBadge } from './link-badge.tsx';
import styles from './picture.module.css';
import { QuestionPanel } from './question-panel.tsx';
import { RunBar, SegmentLight, wideSegments } from './run-bar.tsx';
import { BackLink, Grid, PassingLink, Placed, Port, TakenLink } from './scene-parts.tsx';
import { TeamCard } from './team-card.tsx';

const passed = { in: true, out: true };

/** A run of a graph: two branches that join, a review loop in its second round, and a person who is asked. 1500 x 845 px of canvas. */
export function WideScene() {
  const { t } = useTranslation('landing');
  const round = t('picture.round');
  return (
    <div className={styles.wide}>
      <svg viewBox="0 0 1500 845" aria-hidden="true">
        <Grid id="picture-dots" width={1500} height={845} />
        <TakenLink d="M340 226H410" />
        <TakenLink d="M690 226H713Q728 226 728 211V133Q728 118 743 118H766" />
        <TakenLink d="M690 226H713Q728 226 728 241V319Q728 334 743 334H766" />
        <TakenLink d="M1046 118H1073Q1088 118 1088 133V211Q1088 226 1103 226H1130" />
        <TakenLink d="M1046 334H1073Q1088 334 1088 319V241Q1088 226 1103 226H1130" />
        <BackLink d="M1410 226H1423Q1438 226 1438 241V441Q1438 456 1423 456H391Q376 456 376 441V241Q376 226 391 226H410" />
        <LinkBadge x={906} y={456} of="rework" />
        <DialogCard x={60} y={108} />
        <TeamCard member="lead" x={410} y={148} state="done" figure={round} passed={passed} />
        <TeamCard member="frontend" x={766} y={40} state="done" figure={round} passed={passed} />
        <TeamCard member="backend" x={766} y={256} state="done" figure={round} passed={passed} />
        <TeamCard member="qa" x={1130} y={148} state="done" figure={round} passed={passed} />
        <TeamCard member="person" x={1130} y={548} state="waiting" figure="" passed={{ in: true, out: false }} />
        <QuestionPanel x={60} y={508} />
        <BudgetPanel x={670} y={508} />
        <RunBar x={349} y={758} />
      </svg>
      <svg className={styles.moving} viewBox="0 0 1500 845" aria-hidden="true">
        <PassingLink
          d="M1410 226H1439Q1454 226 1454 241V487Q1454 502 1439 502H1079Q1064 502 1064 517V611Q1064 626 1079 626H1130"
          seconds={6.4}
        />
        <LinkBadge x={1184} y={502} of="accepted" />
        <Port x={1410} y={226} passed />
        <Port x={1130} y={626} passed />
        <AskingPulse x={1130} y={548} />
        <LinkBadge x={1270} y={548} of="needsYou" asks />
        <Placed x={349} y={758}>
          <SegmentLight {...wideSegments} />
        </Placed>
      </svg>
    </div>
  );
}
