import type { CanvasDocument, CanvasNode } from '../../../contract/canvas.ts';
import { nameOf } from '../../../rules/card.ts';
import { resolveDialogTarget } from './resolve-dialog-target.ts';
import { defaultTriggerCommand } from './run-payloads.ts';

/** What a dialog says to its agent, with everything that belongs to it. W3.04 */
export type DialogMessage = {
  text: string;
  /** The dialog's card. */
  id: string;
  dialogNodeTitle: string;
  /** Null where there is nobody to hear it. */
  targetAgentId: string | null;
  targetAgentTitle: string | null;
  triggerCommand: string;
  autoStartSimulation: boolean;
  /** ISO 8601. */
  timestamp: string;
};

/** The message of a dialog sent at `now` (ms since the epoch). */
export function dialogMessageOf(document: CanvasDocument, dialog: CanvasNode, text: string, now: number): DialogMessage {
  const target = resolveDialogTarget(document, dialog);
  return {
    text,
    id: dialog.id,
    dialogNodeTitle: nameOf(dialog),
    targetAgentId: target?.serverAgentId ?? target?.id ?? null,
    targetAgentTitle: target && nameOf(target),
    triggerCommand: dialog.triggerCommand ?? defaultTriggerCommand,
    autoStartSimulation: dialog.autoStartSimulation ?? true,
    timestamp: new Date(now).toISOString(),
  };
}
