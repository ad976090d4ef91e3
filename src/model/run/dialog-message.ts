import type { CanvasDocument, CanvasNode } from '../../../contract/canvas.ts';
import { nameOf } from '../../../rules/card.ts';
import { resolveDialogTarget } from './resolve-dialog-target.ts';
import { defaultTriggerCommand } from './run-payloads.ts';

/** The message of a dialog to its agent, with all its fields. W3.04 */
export type DialogMessage = {
  text: string;
  /** The dialog's node id. */
  id: string;
  dialogNodeTitle: string;
  /** Null without a receiving agent. */
  targetAgentId: string | null;
  targetAgentTitle: string | null;
  triggerCommand: string;
  autoStartSimulation: boolean;
  /** ISO 8601. */
  timestamp: string;
};

/** Creates the message of a dialog, sent at `now` (ms since the epoch). */
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
