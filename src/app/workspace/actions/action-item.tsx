import { MenuItem } from '../../../ui/controls/overlays/menu.tsx';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import { type ActionName, actionTable } from '../frame/action-table.ts';
import { shortcutLabel } from '../frame/shortcut-label.ts';
import type { ActionHandler } from './action-handler.ts';

/** An action in a menu, with its icon and its first shortcut. */
export function ActionItem({
  name,
  handler,
  place,
}: {
  name: ActionName;
  handler: ActionHandler;
  place?: { x: number; y: number } | undefined;
}) {
  const { t } = useTranslation('actions');
  const { icon: Icon, keys, danger = false } = actionTable[name];
  return (
    <MenuItem
      icon={<Icon size={16} strokeWidth={1.75} aria-hidden />}
      danger={danger}
      disabled={handler.can ? !handler.can() : false}
      onSelect={() => handler.run(place)}
      {...(keys?.[0] && { shortcut: shortcutLabel(keys[0]) })}
    >
      {t(`name.${name}`)}
    </MenuItem>
  );
}
