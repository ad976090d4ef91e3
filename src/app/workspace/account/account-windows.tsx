import { ConnectWindow } from '../../connect/connect-window.tsx';
import { AccountWindow } from './account-window.tsx';
import { LeaveDialog } from './leave-dialog.tsx';

/** The windows of the signed-in account, and what calls the server without the engine. */
export function AccountWindows() {
  return (
    <>
      <AccountWindow />
      <LeaveDialog />
      <ConnectWindow />
    </>
  );
}
