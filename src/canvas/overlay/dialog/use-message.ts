import { useEffect, useRef } from 'react';
import type { CanvasNode } from '../../../../contract/canvas.ts';
import type { Dispatch } from '../../../model/commands.ts';
import { messageEffect } from '../../../model/run/message-effect.ts';
import type { WorkspaceState } from '../../../model/workspace-state.ts';
import type { WorkspaceStore } from '../../../model/workspace-store.ts';
import { useObserved } from '../../../state/use-observed.ts';
import { useStoreValue } from '../../use-store-value.ts';
import type { DialogDrafts } from './dialog-drafts.ts';
import { useDialogTarget } from './use-dialog-target.ts';

/** The code of a message that did not reach the server. */
export const unreachable = 'network';
/** The server's limit for a task, in characters. */
export const maxMessageLength = 100_000;

/** What a form of a dialog needs of the page. */
export type MessageParts = { store: WorkspaceStore; dispatch: Dispatch; drafts: DialogDrafts };

export type Message = ReturnType<typeof useMessage>;

/**
 * A dialog's unsent text, and sending it. An accepted text is removed, a refused one stays with its problem until the cause is gone. Several
 * forms of a dialog show the same text. `effect`: what sending does now, for its `target`.
 */
export function useMessage(node: CanvasNode, { store, dispatch, drafts }: MessageParts) {
  const { id: nodeId, title } = node;
  const online = useStoreValue(store, (state) => state.connection.online);
  const { target } = useDialogTarget(store, node);
  const effect = useStoreValue(store, ({ run }) => messageEffect(run, nodeId, target));
  const text = useObserved(drafts, () => drafts.read(nodeId));
  const { isUnderWay: sending, problem } = useObserved(drafts, () => drafts.sending(nodeId));

  useEffect(() => drafts.addForm(nodeId), [drafts, nodeId]);

  const wasOnline = useRef(online);
  useEffect(() => {
    if (online && !wasOnline.current && drafts.sending(nodeId).problem?.code === unreachable) drafts.forgetProblem(nodeId);
    wasOnline.current = online;
  }, [online, drafts, nodeId]);

  useEffect(() => {
    if (!problem || problem.code === unreachable) return;
    const { document, run, validation } = store.getState();
    const errors = errorsIn(validation);
    return store.subscribe((now) => {
      if (now.document !== document || now.run.phase !== run.phase || errorsIn(now.validation) < errors) drafts.forgetProblem(nodeId);
    });
  }, [problem, store, drafts, nodeId]);

  const write = (next: string) => {
    drafts.write(nodeId, next);
    drafts.forgetProblem(nodeId);
  };
  const send = () =>
    drafts.send({ id: nodeId, title }, async (sent) => {
      const inputSetId = drafts.inputSetId(nodeId);
      return dispatch({ type: 'dialog.send', nodeId, text: sent, ...(inputSetId !== null && { inputSetId }) });
    });
  return { text, sending, problem, write, send, target, effect };
}

function errorsIn(validation: WorkspaceState['validation']): number {
  return validation.filter(({ severity }) => severity === 'error').length;
}
