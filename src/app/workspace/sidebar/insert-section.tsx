import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import { Workflow } from '../../../ui/icons/icons.ts';
import { useWorkspace } from '../../../workers/bridge/use-workspace.ts';
import { useNodeCounts } from '../frame/use-node-counts.ts';
import { MenuRow, type MenuRowProps } from './menu-row.tsx';
import { MenuSection } from './menu-section.tsx';
import { PatternIcon } from './pattern-icon.tsx';
import type { PatternRow } from './use-pattern-rows.ts';

/** `count`: how many agents the flow has. */
type FlowRow = { id: string; title: string; count: number };

type Props = {
  flows: readonly FlowRow[];
  patterns: readonly PatternRow[];
  searching: boolean;
  disabled: boolean;
  onPlace: MenuRowProps['onPlace'];
};

/** Whole teams, and small graphs that are placed around the selected card. Closed once the project has a team or has had a run. D4.10 */
export function InsertSection({ flows, patterns, searching, disabled, onPlace }: Props) {
  const { t } = useTranslation('workspace');
  const hasRun = useWorkspace(({ run, history }) => run.phase !== 'stopped' || run.outcome !== null || history.items.length > 0);
  const hasTeam = useNodeCounts(({ byAgent }) => byAgent.size > 0);
  return (
    <MenuSection name="insert" title={t('sidebar.insert')} closed={hasRun || hasTeam} searching={searching}>
      {flows.map(({ id, title, count }) => (
        <MenuRow
          key={id}
          title={title}
          hue="slate"
          tile={<Workflow size={14} strokeWidth={1.75} aria-hidden />}
          note={t('sidebar.nodes', { count })}
          disabled={disabled}
          source={{ item: { kind: 'flow', templateId: id }, title }}
          onPlace={onPlace}
        />
      ))}
      {patterns.map(({ id, title }) => (
        <MenuRow
          key={id}
          title={title}
          hue="slate"
          tile={<PatternIcon id={id} size={14} />}
          disabled={disabled}
          source={{ item: { kind: 'pattern', patternId: id }, title }}
          onPlace={onPlace}
        />
      ))}
    </MenuSection>
  );
}
