import { type ReactElement, type ReactNode, useState } from 'react';
import { Flyout } from '../../../../ui/controls/overlays/flyout.tsx';
import { useWorkspaceContext } from '../../frame/workspace-context.ts';

type RunFlyoutProps = {
  label: string;
  /** The button that opens it. */
  trigger: ReactElement<Record<string, unknown>>;
  isWide?: boolean;
  children: ReactNode;
};

/** What a button of the run control opens: a panel beside the canvas, on a phone a sheet. */
export function RunFlyout({ label, trigger, isWide = false, children }: RunFlyoutProps) {
  const { mobile } = useWorkspaceContext();
  const [open, setOpen] = useState(false);
  return (
    <Flyout open={open} onOpenChange={setOpen} sheet={mobile} label={label} trigger={trigger} isWide={isWide}>
      {children}
    </Flyout>
  );
}
