import { AccountWindow } from './account-window.tsx';
import { SignOutQuestion } from './sign-out-question.tsx';

/** The windows about the signed-in person. */
export function AccountWindows() {
  return (
    <>
      <AccountWindow />
      <SignOutQuestion />
    </>
  );
}
