import { Menu as Base } from '@base-ui/react/menu';
import { cardsOf, sharedSetting } from '../../../model/document/card-settings.ts';
import { MenuChoice, MenuNote, MenuSeparator } from '../../../ui/controls/overlays/menu.tsx';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import { useDispatch, useStore } from '../../../workers/bridge/use-workspace.ts';
import { useWorkspaceContext } from '../frame/workspace-context.ts';
import type { ActionHandler } from './action-handler.ts';
import { arrangeIcons } from './arrange-icons.ts';
import { type ArrangeAction, arrangeActions } from './selection-actions.ts';
import styles from './selection-choices.module.css';

/** The value of a choice whose cards differ: none of its options is selected. */
const mixed = '';

/** The part of the selection's menu that sets all cards at once, and arranges them. Values that differ are shown as such. */
export function SelectionChoices({ actions }: { actions: Record<ArrangeAction, ActionHandler> }) {
  const { t } = useTranslation('selection');
  const { t: name } = useTranslation('actions');
  const { view } = useWorkspaceContext();
  const dispatch = useDispatch();
  const cards = cardsOf(useStore().getState().document.nodes, view.ephemeral.selectedNodes);
  const disabled = sharedSetting(cards, 'disabled');
  const failure = sharedSetting(cards, 'onFailure');
  const titled = (title: string, isMixed: boolean) => (isMixed ? t('mixedTitle', { title }) : title);
  return (
    <>
      <MenuSeparator />
      <Base.Group className={styles.icons} aria-label={t('arrange')}>
        {arrangeActions.map((action) => {
          const Icon = arrangeIcons[action];
          const { can, run } = actions[action];
          return (
            <Base.Item
              key={action}
              className={styles.icon}
              aria-label={name(`name.${action}`)}
              title={name(`name.${action}`)}
              disabled={can?.() === false}
              onClick={() => run()}
            >
              <Icon size={16} strokeWidth={1.75} aria-hidden />
            </Base.Item>
          );
        })}
      </Base.Group>
      {disabled.cards.length > 0 && (
        <MenuChoice
          label={titled(t('disabled.title'), disabled.isMixed)}
          value={disabled.isMixed ? mixed : disabled.value ? 'off' : 'on'}
          options={(['on', 'off'] as const).map((value) => ({ value, label: t(`disabled.${value}`) }))}
          onChoose={(value) =>
            void dispatch({ type: 'nodes.set', nodeIds: disabled.cards, changes: { disabled: value === 'off' ? true : undefined } })
          }
        />
      )}
      {disabled.others > 0 && disabled.cards.length > 0 && <MenuNote>{t('disabled.others', { count: disabled.others })}</MenuNote>}
      {failure.cards.length > 0 && (
        <MenuChoice
          label={titled(t('failure.title'), failure.isMixed)}
          value={failure.isMixed ? mixed : (failure.value ?? 'stop')}
          options={(['stop', 'goOn'] as const).map((value) => ({ value, label: t(`failure.${value}`) }))}
          onChoose={(value) =>
            void dispatch({ type: 'nodes.set', nodeIds: failure.cards, changes: { onFailure: value === 'goOn' ? 'goOn' : undefined } })
          }
        />
      )}
      {failure.others > 0 && failure.cards.length > 0 && <MenuNote>{t('failure.others', { count: failure.others })}</MenuNote>}
    </>
  );
}
