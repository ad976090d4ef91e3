import { AccountWindow } from './account-window.tsx';
import { LeaveDialog } from './leave-dialog.tsx';

/** The windows about the signed-in person. */
export function AccountWindows() {
  return (
    <>
      <AccountWindow />
      <LeaveDialog />
    </>
  );
}
