import { useTranslation } from '../../ui/i18n/use-translation.ts';
import { ArrowRight, Ellipsis } from '../../ui/icons/icons.ts';
import { RoleIcon } from '../../ui/icons/role-icon.tsx';
import styles from './picture.module.css';
import { Placed } from './scene-parts.tsx';
import { type TeamMember, team, teamMessages } from './team.ts';

/** Messages between agents, 563 x 312. */
export function MessagesPanel({ x, y }: { x: number; y: number }) {
  const { t } = useTranslation('landing');
  return (
    <Placed x={x} y={y}>
      <rect width="563" height="312" rx="10" className={styles.floating} />
      <text x="20" y="38" fontSize="16" fontWeight="600" className={styles.text}>
        {t('picture.talk.title')}
        <tspan dx="10" fontWeight="400" fontSize="15" className={styles.muted}>
          6
        </tspan>
      </text>
      <Placed x={523} y={23}>
        <Ellipsis size={20} color="var(--muted)" />
      </Placed>
      {teamMessages.map(({ from, to, time, text }, row) => (
        <Placed key={text} x={0} y={58 + row * 82}>
          <path d="M0 .5h563" className={styles.line} />
          <Chip speaker={from} x={20} name={t(`picture.${from}.title`)} />
          <Placed x={218} y={19}>
            <ArrowRight size={14} color="var(--muted)" />
          </Placed>
          <Chip speaker={to} x={246} name={t(`picture.${to}.title`)} />
          <text x="543" y="31" fontSize="15" textAnchor="end" className={styles.muted}>
            {time}
          </text>
          <text x="20" y="62" fontSize="15" className={styles.text}>
            {t(`picture.talk.${text}`)}
          </text>
        </Placed>
      ))}
    </Placed>
  );
}

function Chip({ speaker, x, name }: { speaker: TeamMember; x: number; name: string }) {
  return (
    <Placed x={x} y={14}>
      <g data-hue={team[speaker].hue}>
        <rect width="24" height="24" rx="6" fill="var(--hue-tile)" />
        <Placed x={5} y={5}>
          <g color="var(--hue)">
            <RoleIcon name={team[speaker].icon} size={14} />
          </g>
        </Placed>
        <text x="33" y="17" fontSize="15" fontWeight="500" className={styles.text}>
          {name}
        </text>
      </g>
    </Placed>
  );
}
