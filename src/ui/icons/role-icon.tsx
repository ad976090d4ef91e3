import type { Hue } from '../../model/agents/roles.ts';
import styles from './role-icon.module.css';
import { roleIconFiles } from './role-icon-files.ts';
import type { RoleIconName } from './role-icon-name.ts';

export type RoleHue = Hue;

/** The icon in the colour of the text. Decorative: the role's name is beside it. */
export function RoleIcon({ name, size = 16 }: { name: RoleIconName; size?: number }) {
  const Icon = roleIconFiles[name].default;
  return <Icon size={size} strokeWidth={1.75} aria-hidden />;
}

/** The icon in its role's colour on a tile, `size` px square. */
export function RoleTile({ name, hue, size = 24 }: { name: RoleIconName; hue: Hue; size?: number }) {
  return (
    <span className={styles.tile} data-hue={hue} style={{ width: size, height: size, borderRadius: size >= 32 ? 8 : 6 }}>
      <RoleIcon name={name} size={Math.round(size * (size >= 32 ? 0.53 : 0.58))} />
    </span>
  );
}
