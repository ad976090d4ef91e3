import { AccountWindow } from './account-window.tsx';
import { LeaveDialog } from './leave-dialog.tsx';

/** The windows of the signed-in account. */
export function AccountWindows() {
  return (
    <>
      <AccountWindow />
      <LeaveDialog />
    </>
  );
}
