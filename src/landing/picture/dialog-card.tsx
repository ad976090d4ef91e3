import { useTranslation } from '../../ui/i18n/use-translation.ts';
import { SendHorizontal, Settings } from '../../ui/icons/icons.ts';
import { RoleIcon } from '../../ui/icons/role-icon.tsx';
import { CardBody, Tile } from './agent-card.tsx';
import styles from './picture.module.css';
import { Lines, Placed, Port } from './scene-parts.tsx';

/** The dialog node, 280 x 236, its port level with its neighbours'. */
export function DialogCard({ x, y }: { x: number; y: number }) {
  const { t } = useTranslation('landing');
  const send = t('common:send');
  // SVG does not size a box by its text: a semibold letter of 13 px is some 7.6 px wide.
  const sendLeft = 266 - 46 - send.length * 7.6;
  return (
    <Placed x={x} y={y}>
      <g data-hue="lime">
        <CardBody width={280} height={236} border="var(--line)" />
        <Tile icon="dialog" />
      </g>
      <text x="64" y="34" fontSize="16" fontWeight="600" letterSpacing="-0.16" className={styles.text}>
        {t('picture.dialog.title')}
      </text>
      <text x="64" y="51" fontSize="12" className={styles.muted}>
        {t('picture.dialog.goal')}
      </text>
      <Placed x={248} y={28}>
        <Settings size={16} stroke="var(--muted)" strokeWidth={1.75} />
      </Placed>
      <rect
        x="14.5"
        y="66.5"
        width="251"
        height="87"
        rx="8"
        fill="light-dark(var(--raised), var(--page))"
        stroke="color-mix(in srgb, var(--control-border) 55%, var(--line))"
      />
      <Lines x={26} y={86} lead={18} size={13} className={styles.text}>
        {t('picture.dialog.task')}
      </Lines>
      <text x="14" y="181" fontSize="12" className={styles.muted}>
        {t('common:recipient')}
      </text>
      <g data-hue="sky">
        <rect x="52" y="164" width="94" height="25" rx="6" fill="var(--hue-tile)" />
        <Placed x={59} y={170}>
          <g color="var(--hue)">
            <RoleIcon name="architect" size={13} />
          </g>
        </Placed>
        <text x="78" y="181" fontSize="12" fontWeight="500" className={styles.text}>
          {t('picture.lead.title')}
        </text>
      </g>
      <text x="232" y="181" fontSize="12" textAnchor="end" className={styles.muted}>
        {t('common:autoStart')}
      </text>
      <rect x="239" y="169" width="27" height="15" rx="7.5" fill="var(--accent)" />
      <circle cx="258" cy="176.5" r="5.5" fill="var(--on-accent)" />
      <rect x="14.5" y="202.5" width="45" height="18" rx="4" fill="none" stroke="var(--line)" />
      <text x="37" y="215.5" fontSize="11" textAnchor="middle" className={styles.muted}>
        Ctrl ↵
      </text>
      <rect x={sendLeft} y="196" width={266 - sendLeft} height="30" rx="6" fill="var(--accent)" />
      <Placed x={sendLeft + 13} y={204}>
        <SendHorizontal size={14} stroke="var(--on-accent)" strokeWidth={2} />
      </Placed>
      <text x={sendLeft + 34} y="215.5" fontSize="13" fontWeight="600" fill="var(--on-accent)">
        {send}
      </text>
      <Port x={0} y={118} passed={false} />
      <Port x={280} y={118} passed />
    </Placed>
  );
}
