import { AccountWindow } from './account-window.tsx';
import { LeaveQuestion } from './leave-question.tsx';

/** The windows about the signed-in person. */
export function AccountWindows() {
  return (
    <>
      <AccountWindow />
      <LeaveQuestion />
    </>
  );
}
