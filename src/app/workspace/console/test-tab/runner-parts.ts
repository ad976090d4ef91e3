import { lazyPart } from '../../../../ui/loading/lazy-part.tsx';

/** What is shown where the server has a runner, or could have one of its machine. */
export const LocalRunner = lazyPart(() => import('./local-runner.tsx').then((file) => file.LocalRunner));
export const InstallChoice = lazyPart(() => import('./install-choice.tsx').then((file) => file.InstallChoice));
export const SuggestedCommand = lazyPart(() => import('./suggested-command.tsx').then((file) => file.SuggestedCommand));
