import { Suspense } from 'react';
import type { MenuRequest } from '../../../canvas/menu-request.ts';
import { lazyPart } from '../../../ui/loading/lazy-part.tsx';
import { CanvasMenu } from '../actions/canvas-menu.tsx';
import { AgentSettings } from '../agent-settings/agent-settings.tsx';
import { LocalBanner } from '../connections/local-banner.tsx';
import { usePanels } from '../frame/panels.tsx';
import { QuestionsWindow } from '../questions/questions-window.tsx';
import { StartQuestion } from '../run/start-question.tsx';
import { CardsWindow } from '../selection/cards-window.tsx';
import { ShortcutSheet } from '../shortcuts/shortcut-sheet.tsx';
import { useSignInEnd } from '../tools/use-sign-in-end.ts';
import { AgentRoom } from './agent-room.tsx';
import { ImportDialog } from './import-dialog.tsx';
import { PictureDialog } from './picture-dialog.tsx';
import { RefusedCards } from './refused-cards.tsx';

/** Windows with a form, which are loaded when they are opened. */
const StartNodeSettings = lazyPart(() => import('./start-node-settings.tsx').then((file) => file.StartNodeSettings));
const PersonCardSettings = lazyPart(() => import('../questions/person-settings.tsx').then((file) => file.PersonCardSettings));

export type WindowsProps = { menu: MenuRequest | null; onCloseMenu: () => void };

/** All windows of the workspace. */
export function Windows({ menu, onCloseMenu }: WindowsProps) {
  useSignInEnd();
  const { panels } = usePanels();
  return (
    <>
      <CanvasMenu request={menu} onClose={onCloseMenu} />
      <AgentSettings />
      <ShortcutSheet />
      <ImportDialog />
      <PictureDialog />
      <StartQuestion />
      {panels.window?.kind === 'cards' && <CardsWindow nodeIds={panels.window.nodeIds} />}
      <RefusedCards />
      <AgentRoom />
      <QuestionsWindow />
      <Suspense fallback={null}>
        {panels.window?.kind === 'startNode' && <StartNodeSettings />}
        {panels.window?.kind === 'person' && <PersonCardSettings />}
      </Suspense>
      <LocalBanner />
    </>
  );
}
