import type { LucideIcon } from 'lucide-react/types';
import { useTranslation } from '../../ui/i18n/use-translation.ts';
import { ArrowRight, FlaskConical, GitBranch, ListChecks, MessageCircle, PenTool, Plug, Wrench } from '../../ui/icons/icons.ts';
import { type RoleHue, RoleTile } from '../../ui/icons/role-icon.tsx';
import type { RoleIconName } from '../../ui/icons/role-icon-name.ts';
import { Grid, PendingLink, Port, TakenLink } from '../picture/scene-parts.tsx';
import { team, teamMessages } from '../picture/team.ts';
import { TeamCard } from '../picture/team-card.tsx';
import { type Integration, integrations } from '../sections/claims.ts';
import styles from './feature-pictures.module.css';

const diff: readonly { sign: '-' | '+'; code: string }[] = [
  { sign: '-', code: 'const rows = all()' },
  { sign: '+', code: 'const rows = stream({' },
  { sign: '+', code: '  limit: 50_000,' },
  { sign: '+', code: '})' },
];

const models: readonly { icon: RoleIconName; hue: RoleHue; model: string; temperature: number }[] = [
  { icon: 'architect', hue: 'sky', model: 'claude-sonnet-5-5', temperature: 0.5 },
  { icon: 'developer', hue: 'blue', model: 'gpt-6.1-terra', temperature: 0.3 },
  { icon: 'analyst', hue: 'teal', model: 'yandexgpt', temperature: 0.6 },
];

const integrationIcons: Record<Integration['key'], LucideIcon> = {
  code: GitBranch,
  tools: Wrench,
  tests: FlaskConical,
  issues: ListChecks,
  chats: MessageCircle,
  design: PenTool,
  api: Plug,
};

const idle = { in: false, out: false };

/** Four cards of the canvas, and a link that is being drawn. */
export function CanvasPicture() {
  const { t } = useTranslation('landing');
  return (
    <div className={styles.canvas}>
      <svg viewBox="0 0 1040 430" aria-hidden="true" preserveAspectRatio="xMaxYMid slice">
        <Grid id="feature-dots" width={1040} height={430} />
        <TakenLink d="M310 215H380" />
        <TakenLink d="M660 215H675Q690 215 690 200V127Q690 112 705 112H730" />
        <PendingLink d="M660 215H675Q690 215 690 230V303Q690 318 705 318H730" />
        <TeamCard member="product" x={30} y={137} state="done" figure="0:47" passed={{ in: false, out: true }} />
        <TeamCard member="lead" x={380} y={137} state="done" figure="0:26" passed={{ in: true, out: true }} />
        <TeamCard member="frontend" x={730} y={34} state="waiting" figure={t('picture.queue.third')} passed={{ in: true, out: false }} />
        <TeamCard member="backend" x={730} y={240} state="waiting" figure={t('picture.queue.fourth')} passed={idle} />
        <circle cx="730" cy="318" r="16" fill="var(--accent)" opacity="0.22" />
        <Port x={730} y={318} passed />
        <path d="m733 321 5.5 17 3.6-7.6 7.9-3z" fill="var(--text)" stroke="var(--raised)" strokeWidth="1.5" />
      </svg>
    </div>
  );
}

/** Messages between agents. */
export function MessagesPicture() {
  const { t } = useTranslation('landing');
  return (
    <ul className={styles.messages} aria-hidden="true">
      {teamMessages.map(({ from, to, time, text }) => (
        <li key={text}>
          <div className={styles.between}>
            <RoleTile name={team[from].icon} hue={team[from].hue} />
            <ArrowRight size={14} />
            <RoleTile name={team[to].icon} hue={team[to].hue} />
            <span className={styles.time}>{time}</span>
          </div>
          <p>{t(`picture.talk.${text}`)}</p>
        </li>
      ))}
    </ul>
  );
}

/** A file's lines before and after. */
export function DiffPicture() {
  return (
    <div className={styles.diff} aria-hidden="true">
      <div className={styles.file}>orders.service.ts</div>
      {diff.map(({ sign, code }) => (
        <div key={code} className={styles.row} data-sign={sign}>
          {sign} {code}
        </div>
      ))}
    </div>
  );
}

/** A model and a temperature for each of three roles. */
export function ModelsPicture() {
  const { language } = useTranslation('landing');
  const number = new Intl.NumberFormat(language);
  return (
    <ul className={styles.models} aria-hidden="true">
      {models.map(({ icon, hue, model, temperature }) => (
        <li key={model} data-hue={hue}>
          <RoleTile name={icon} hue={hue} />
          <span className={styles.model}>{model}</span>
          <span className={styles.track} style={{ '--at': temperature / 2 }} />
          <span className={styles.time} suppressHydrationWarning>
            {number.format(temperature)}
          </span>
        </li>
      ))}
    </ul>
  );
}

/** Integrations, and planned ones. */
export function IntegrationsPicture() {
  const { t } = useTranslation('offer');
  return (
    <ul className={styles.integrations}>
      {integrations.map(({ key, ready }) => {
        const Icon = integrationIcons[key];
        return (
          <li key={key} data-ready={ready || undefined}>
            <Icon size={16} strokeWidth={1.75} />
            {/* A space for readers: the state is a word of its own. */}
            {t(`features.integrations.${key}`)}{' '}
            <span className={styles.when}>{t(ready ? 'features.integrations.ready' : 'features.integrations.planned')}</span>
          </li>
        );
      })}
    </ul>
  );
}
