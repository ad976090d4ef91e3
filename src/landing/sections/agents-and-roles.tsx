import { useTranslation } from '../../ui/i18n/use-translation.ts';
import { Minus, Plus } from '../../ui/icons/icons.ts';
import { RoleTile } from '../../ui/icons/role-icon.tsx';
import styles from './agents-and-roles.module.css';
import { type DisplayAgent, displayAgents, priorityScale } from './display-agents.ts';
import { Section } from './section.tsx';

const scale = Array.from({ length: priorityScale }, (_, index) => index + 1);

/** Six roles on static cards. */
export function AgentsAndRoles() {
  const { t } = useTranslation('landing');
  return (
    <Section id="agents" on="surface" kicker={t('agents.kicker')} title={t('agents.title')} lead={t('agents.lead')}>
      <ul className={styles.cards}>
        {displayAgents.map((agent) => (
          <AgentDisplay key={agent.key} agent={agent} />
        ))}
      </ul>
    </Section>
  );
}

function AgentDisplay({ agent }: { agent: DisplayAgent }) {
  const { t, language } = useTranslation('landing');
  const { key, isCore, status, priority, icon, hue, apiConfiguration } = agent;
  const temperature = new Intl.NumberFormat(language).format(apiConfiguration.temperature);
  return (
    <li className={styles.card} data-hue={hue}>
      <div className={styles.head}>
        <RoleTile name={icon} hue={hue} size={44} />
        <h3 className={styles.name}>{t(`agents.${key}.name`)}</h3>
        <span className={styles.status}>{t(`agents.${status}`)}</span>
        <p className={styles.role}>{t(`agents.${key}.role`)}</p>
        <span className={isCore ? styles.core : styles.optional}>{t(isCore ? 'agents.core' : 'agents.optional')}</span>
      </div>
      <div className={styles.text}>
        <p className={styles.title}>{t(`agents.${key}.title`)}</p>
        <p>{t(`agents.${key}.description`)}</p>
      </div>
      <p className={styles.specialization}>
        {t('agents.specialization')} <span>{t(`agents.${key}.specialization`)}</span>
      </p>
      <dl className={styles.facts}>
        <div>
          <dt>{t('common:priority')}</dt>
          <dd className={styles.priority}>
            <span className={styles.bars} aria-hidden="true">
              {scale.map((place) => (
                <span key={place} data-full={place <= priority || undefined} />
              ))}
            </span>
            {priority}/{priorityScale}
          </dd>
        </div>
        <div>
          <dt className="visually-hidden">{t('agents.model')}</dt>
          <dd
            className={styles.model}
            title={t('agents.modelHint', { temperature, maxTokens: apiConfiguration.maxTokens })}
            suppressHydrationWarning
          >
            {t('agents.anyModel')} · {temperature}
          </dd>
        </div>
      </dl>
      <details className={styles.instruction}>
        <summary>
          {t('agents.instruction')}
          <Plus size={16} strokeWidth={1.75} />
          <Minus size={16} strokeWidth={1.75} />
        </summary>
        <p>{t(`agents.${key}.systemPrompt`)}</p>
      </details>
    </li>
  );
}
