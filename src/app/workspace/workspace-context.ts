import { type ComponentType, createContext, use } from 'react';
import type { CanvasView } from '../../canvas/canvas-view.ts';
import type { DialogDrafts } from '../../canvas/overlay/dialog-drafts.ts';
import type { AddedUsers } from './sidebar/added-users.ts';

export type Account = {
  name: string;
  email: string;
  signOut: () => void;
  /** Opens the login over the workspace, which stays as it is. */
  signIn: () => void;
  /** Exchanges the session for a fresh one; false where somebody has to sign in. */
  checkAuth: () => Promise<boolean>;
  /** Null for whoever is not of the staff. */
  openLeads: (() => void) | null;
  /** Opens the list of work that was given up; null for those who are no staff. */
  openDeadLetters: (() => void) | null;
  /** Saves what is open and goes on to another project. */
  openProject: (id: string) => void;
  /** The windows about the person; only where there is one is there a way to the session from here. */
  Windows: ComponentType;
};

export type WorkspaceContextValue = {
  view: CanvasView;
  /** What is written in the dialogs' text boxes and not yet sent. */
  drafts: DialogDrafts;
  /** The people whom the user put into the menu. */
  users: AddedUsers;
  /** Null where nobody is signed in. */
  account: Account | null;
  readOnly: boolean;
  /** The public demonstration: nothing can be changed, while its run can be started, paused and stopped. */
  demo: boolean;
  mobile: boolean;
};

export const WorkspaceContext = createContext<WorkspaceContextValue | null>(null);

export function useWorkspaceContext(): WorkspaceContextValue {
  const context = use(WorkspaceContext);
  if (!context) throw new Error('useWorkspaceContext needs a Workspace above it');
  return context;
}
