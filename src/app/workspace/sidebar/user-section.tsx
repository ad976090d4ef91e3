import { useRef, useState } from 'react';
import type { AddableItem, PlaceableItem } from '../../../model/commands.ts';
import { ConfirmDialog } from '../../../ui/controls/overlays/confirm-dialog.tsx';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import { usePanels } from '../frame/panels.tsx';
import { useWorkspaceContext } from '../frame/workspace-context.ts';
import { AddRow } from './add-row.tsx';
import { MenuRow } from './menu-row.tsx';
import { MenuSection } from './menu-section.tsx';
import type { UserRow } from './use-user-rows.ts';

type UserSectionProps = {
  rows: readonly UserRow[];
  /** Hides the row that adds a user. */
  searching: boolean;
  disabled: boolean;
  onPlace: (item: AddableItem, at?: { x: number; y: number }) => void;
};

/** The users that can be put on the canvas, and the row that adds one. Closed at first. W2.10 W2.11 */
export function UserSection({ rows, searching, disabled, onPlace }: UserSectionProps) {
  const { t } = useTranslation('workspace');
  const { show } = usePanels();
  const { users, readOnly } = useWorkspaceContext();
  const [leaving, setLeaving] = useState<UserRow | null>(null);
  // The name stays while the dialog fades out.
  const last = useRef('');
  if (leaving) last.current = leaving.title;
  return (
    <MenuSection name="users" title={t('sidebar.users')} closed searching={searching}>
      {rows.map((row) => (
        <MenuRow
          key={row.key}
          title={row.title}
          hue={row.hue}
          icon="user"
          count={row.count}
          disabled={disabled}
          source={row.count > 0 ? { item: placedUser(row, t(`user.${row.role}`)), title: row.title } : null}
          onPlace={onPlace}
          onRemove={row.name === null || readOnly ? undefined : () => setLeaving(row)}
        />
      ))}
      {!searching && !readOnly && <AddRow title={t('sidebar.newUser')} onAdd={() => show({ window: { kind: 'addUser' } })} />}
      <ConfirmDialog
        open={leaving !== null}
        destructive
        title={t('sidebar.removeUserTitle')}
        action={t('words:remove')}
        onConfirm={() => leaving && users.remove(leaving.key)}
        onClose={() => setLeaving(null)}
      >
        <p>{t('sidebar.removeUserText', { title: last.current })}</p>
      </ConfirmDialog>
    </MenuSection>
  );
}

/** The card keeps the colour, and shows the role of an added user. */
export function placedUser({ key, name, hue, title }: UserRow, role: string): PlaceableItem {
  return name === null ? { kind: 'user', key, title, hue } : { kind: 'user', key, title, hue, about: role };
}
