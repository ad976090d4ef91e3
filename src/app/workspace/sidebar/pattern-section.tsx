import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import { MenuRow, type MenuRowProps } from './menu-row.tsx';
import { MenuSection } from './menu-section.tsx';
import { PatternIcon } from './pattern-icon.tsx';
import type { PatternRow } from './use-pattern-rows.ts';

type Props = { rows: readonly PatternRow[]; disabled: boolean; onPlace: MenuRowProps['onPlace'] };

/** Small graphs that are ready to run, placed around the selected card. D4.10 */
export function PatternSection({ rows, disabled, onPlace }: Props) {
  const { t } = useTranslation('workspace');
  return (
    <MenuSection title={t('sidebar.patterns')}>
      {rows.map(({ id, title }) => (
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
