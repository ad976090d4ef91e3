import { roleHue } from '../../../../model/agents/roles.ts';
import { useTranslation } from '../../../../ui/i18n/use-translation.ts';
import { RoleIcon } from '../../../../ui/icons/role-icon.tsx';
import { roleIconName } from '../../../../ui/icons/role-icon-name.ts';
import type { Party } from './communication-rows.ts';
import styles from './party-chip.module.css';

/** The sender or recipient as colour, icon and name. `filled` puts all of it on the role's tile; `compact` hides the name from sight. */
export function PartyChip({ party, filled = false, compact = false }: { party: Party; filled?: boolean; compact?: boolean }) {
  const { t } = useTranslation('console');
  const person = party.kind === 'person';
  return (
    <span className={styles.chip} data-hue={person ? 'slate' : roleHue(party.role)} data-filled={filled || undefined}>
      <span className={styles.tile}>
        <RoleIcon name={person ? 'user' : roleIconName(party.role)} size={13} />
      </span>
      <span className={compact ? 'visually-hidden' : styles.name}>{person ? t('words:you') : party.title}</span>
    </span>
  );
}
