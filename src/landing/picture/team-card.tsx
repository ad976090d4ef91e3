import { useTranslation } from '../../ui/i18n/use-translation.ts';
import { AgentCard, type AgentCardProps } from './agent-card.tsx';
import { type TeamMember, team } from './team.ts';

type TeamCardProps = Pick<AgentCardProps, 'x' | 'y' | 'state' | 'figure' | 'passed'> & { member: TeamMember };

/** A card of the team's member. */
export function TeamCard({ member, ...place }: TeamCardProps) {
  const { t } = useTranslation('landing');
  return <AgentCard {...place} {...team[member]} title={t(`picture.${member}.title`)} line={t(`picture.${member}.line`)} />;
}
