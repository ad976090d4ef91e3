import { Tooltip, type TooltipSide } from '../overlays/tooltip.tsx';
import { BareIconButton, type BareIconButtonProps } from './bare-icon-button.tsx';

export type IconButtonProps = BareIconButtonProps & {
  /** A shortcut in its shown form, such as `Ctrl Z`. */
  shortcut?: string | undefined;
  tooltipSide?: TooltipSide;
};

/** A square button with an icon, a name and a tooltip that shows the name. */
export function IconButton({ label, shortcut, tooltipSide, ...rest }: IconButtonProps) {
  return (
    <Tooltip label={label} shortcut={shortcut} side={tooltipSide}>
      <BareIconButton label={label} {...rest} />
    </Tooltip>
  );
}
