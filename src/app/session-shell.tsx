import { lazy, type ReactNode, Suspense } from 'react';
import { SessionProvider, useSession } from '../session/session-provider.tsx';
import { useTranslation } from '../ui/i18n/use-translation.ts';

const LoginModal = lazy(() => import('./login/login-modal.tsx').then((file) => ({ default: file.LoginModal })));

/** Pages with an account: the session around them, and the modal that signs in. */
export function SessionShell({ children }: { children: ReactNode }) {
  const { language } = useTranslation('common');
  return (
    <SessionProvider language={language}>
      {children}
      <LoginWhenAsked />
    </SessionProvider>
  );
}

function LoginWhenAsked() {
  const { auth } = useSession();
  if (!auth.showLoginModal) return null;
  return (
    <Suspense>
      <LoginModal />
    </Suspense>
  );
}
