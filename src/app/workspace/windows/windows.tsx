import type { MenuRequest } from '../../../canvas/menu-request.ts';
import { CanvasMenu } from '../actions/canvas-menu.tsx';
import { AgentSettings } from '../agent-settings/agent-settings.tsx';
import { LocalBanner } from '../connections/local-banner.tsx';
import { usePanels } from '../frame/panels.tsx';
import { PersonCardSettings } from '../questions/person-settings.tsx';
import { QuestionsWindow } from '../questions/questions-window.tsx';
import { StartQuestion } from '../run/start-question.tsx';
import { CardsWindow } from '../selection/cards-window.tsx';
import { ShortcutSheet } from '../shortcuts/shortcut-sheet.tsx';
import { useSignInEnd } from '../tools/use-sign-in-end.ts';
import { AgentRoom } from './agent-room.tsx';
import { ImportDialog } from './import-dialog.tsx';
import { PictureDialog } from './picture-dialog.tsx';
import { RefusedCards } from './refused-cards.tsx';
import { StartNodeSettings } from './start-node-settings.tsx';

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
      <StartNodeSettings />
      {panels.window?.kind === 'cards' && <CardsWindow nodeIds={panels.window.nodeIds} />}
      <RefusedCards />
      <AgentRoom />
      <QuestionsWindow />
      <PersonCardSettings />
      <LocalBanner />
    </>
  );
}
