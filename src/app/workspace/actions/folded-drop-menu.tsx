import { isAnnotation, nameOf } from '../../../../rules/card.ts';
import { toggleFolds } from '../../../canvas/folding/fold-changes.ts';
import type { LinkDrop } from '../../../canvas/tools/tool.ts';
import { nodeHue } from '../../../model/agents/roles.ts';
import { boxOf, liesIn } from '../../../model/document/annotations.ts';
import { byPlace } from '../../../model/run/starters/resolve-dialog-target.ts';
import { MenuItem, MenuNote, MenuSeparator } from '../../../ui/controls/overlays/menu.tsx';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import { ChevronDown } from '../../../ui/icons/icons.ts';
import { RoleTile } from '../../../ui/icons/role-icon.tsx';
import { nodeIconName } from '../../../ui/icons/role-icon-name.ts';
import { useDispatch, useWorkspace } from '../../../workers/bridge/use-workspace.ts';
import { useWorkspaceContext } from '../frame/workspace-context.ts';

/** The maximum of offered cards: those of a larger group are linked once it is open. */
const maxCards = 12;

type Props = Pick<LinkDrop, 'from' | 'redrawn'> & { into: string };

/** Where a link goes that ends on a folded group: to one of its cards, or to any of them once the group is open. */
export function FoldedDropMenu({ from, into, redrawn }: Props) {
  const { t } = useTranslation('folding');
  const { view } = useWorkspaceContext();
  const dispatch = useDispatch();
  const nodes = useWorkspace((state) => state.document.nodes);
  const group = nodes[into];
  const cards = group ? Object.values(nodes).filter((node) => !isAnnotation(node) && node.id !== from && liesIn(node, boxOf(group))) : [];
  const linkTo = (nodeId: string) =>
    void dispatch(redrawn ? { type: 'link.end', ...redrawn, nodeId } : { type: 'link.add', from, to: nodeId });
  return (
    <>
      <MenuNote>{cards.length > 0 ? t('into') : t('noCards')}</MenuNote>
      {cards
        .sort(byPlace)
        .slice(0, maxCards)
        .map((node) => (
          <MenuItem
            key={node.id}
            icon={<RoleTile name={nodeIconName(node)} hue={nodeHue(node)} size={20} />}
            onSelect={() => linkTo(node.id)}
          >
            {nameOf(node)}
          </MenuItem>
        ))}
      <MenuSeparator />
      <MenuItem
        icon={<ChevronDown size={16} strokeWidth={1.75} aria-hidden />}
        onSelect={() => view.update({ folded: toggleFolds(view.ephemeral.folded, new Set([into])) })}
      >
        {t('open')}
      </MenuItem>
    </>
  );
}
