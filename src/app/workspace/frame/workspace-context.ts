import { type ComponentType, createContext, use } from 'react';
import type { CanvasView } from '../../../canvas/canvas-view.ts';
import type { DialogDrafts } from '../../../canvas/overlay/dialog/dialog-drafts.ts';
import type { AddedUsers } from './added-users.ts';

export type Account = {
  name: string;
  email: string;
  signOut: () => void;
  /** Opens the sign-in window over the workspace, which stays open. */
  signIn: () => void;
  /** Refreshes the session; false when the user has to sign in. */
  checkAuth: () => Promise<boolean>;
  /** Opens the demo requests; null for users who are not staff. */
  openLeads: (() => void) | null;
  /** Opens the dead letters; null for users who are not staff. */
  openDeadLetters: (() => void) | null;
  /** Saves the open project and opens another one. */
  openProject: (id: string) => void;
  /** The account's windows. They are passed in, since only pages with a session have them. */
  Windows: ComponentType;
};

type WorkspaceContextValue = {
  view: CanvasView;
  /** The unsent texts of the dialogs' text boxes. */
  drafts: DialogDrafts;
  /** The people that the user has added to the menu. */
  users: AddedUsers;
  /** Null without a signed-in user. */
  account: Account | null;
  readOnly: boolean;
  /** The public demonstration: it is read-only, except that its run can be started, paused and stopped. */
  demo: boolean;
  mobile: boolean;
};

export const WorkspaceContext = createContext<WorkspaceContextValue | null>(null);

/** Returns the context of the workspace around the component. */
export function useWorkspaceContext(): WorkspaceContextValue {
  const context = use(WorkspaceContext);
  if (!context) throw new Error('useWorkspaceContext needs a Workspace above it');
  return context;
}
