import { lazyPart } from '../../../ui/loading/lazy-part.tsx';

/** The page of an account that is being deleted, loaded when it is shown: other accounts never need it. */
export const LeavingAccount = lazyPart(() => import('./leaving-account.tsx').then((file) => file.LeavingAccount));
