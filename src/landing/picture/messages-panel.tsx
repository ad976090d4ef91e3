import { useTranslation } from '../../ui/i18n/use-translation.ts';
import { ArrowRight, Ellipsis } from '../../ui/icons/icons.ts';
import { RoleIcon } from '../../ui/icons/role-icon.tsx';
import type { AgentCardProps } from './agent-card.tsx';
import styles from './picture.module.css';
import { At } from './scene-parts.tsx';

type Speaker = { key: 'assistant' | 'product' | 'project' | 'lead'; icon: AgentCardProps['icon']; hue: AgentCardProps['hue'] };

const assistant: Speaker = { key: 'assistant', icon: 'assistant', hue: 'orange' };
const product: Speaker = { key: 'product', icon: 'product', hue: 'violet' };
const project: Speaker = { key: 'project', icon: 'project', hue: 'indigo' };
const lead: Speaker = { key: 'lead', icon: 'architect', hue: 'sky' };

const rows = [
  { from: assistant, to: product, time: '14:02', text: 'first' },
  { from: product, to: project, time: '14:03', text: 'second' },
  { from: project, to: lead, time: '14:04', text: 'third' },
] as const;

/** Messages between agents, 563 x 312. */
export function MessagesPanel({ x, y }: { x: number; y: number }) {
  const { t } = useTranslation('landing');
  return (
    <At x={x} y={y}>
      <rect width="563" height="312" rx="10" className={styles.floating} />
      <text x="20" y="38" fontSize="16" fontWeight="600" className={styles.text}>
        {t('picture.talk.title')}
        <tspan dx="10" fontWeight="400" fontSize="15" className={styles.muted}>
          6
        </tspan>
      </text>
      <At x={523} y={23}>
        <Ellipsis size={20} color="var(--muted)" />
      </At>
      {rows.map(({ from, to, time, text }, row) => (
        <At key={text} x={0} y={58 + row * 82}>
          <path d="M0 .5h563" className={styles.line} />
          <Chip speaker={from} x={20} name={t(`picture.${from.key}.title`)} />
          <At x={218} y={19}>
            <ArrowRight size={14} color="var(--muted)" />
          </At>
          <Chip speaker={to} x={246} name={t(`picture.${to.key}.title`)} />
          <text x="543" y="31" fontSize="15" textAnchor="end" className={styles.muted}>
            {time}
          </text>
          <text x="20" y="62" fontSize="15" className={styles.text}>
            {t(`picture.talk.${text}`)}
          </text>
        </At>
      ))}
    </At>
  );
}

function Chip({ speaker, x, name }: { speaker: Speaker; x: number; name: string }) {
  return (
    <At x={x} y={14}>
      <g data-hue={speaker.hue}>
        <rect width="24" height="24" rx="6" fill="var(--hue-tile)" />
        <At x={5} y={5}>
          <g color="var(--hue)">
            <RoleIcon name={speaker.icon} size={14} />
          </g>
        </At>
        <text x="33" y="17" fontSize="15" fontWeight="500" className={styles.text}>
          {name}
        </text>
      </g>
    </At>
  );
}
