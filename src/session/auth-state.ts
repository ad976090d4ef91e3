import type { SessionUser } from './token.ts';

/** The account's state in the page. */
export type AuthState = {
  isLoggedIn: boolean;
  showLoginModal: boolean;
  /** Which form the modal opens with. */
  loginMode: 'signIn' | 'signUp' | 'forgot';
  user: SessionUser | null;
  /** Whether the account belongs to the staff; null until a profile has been read. */
  isStaff: boolean | null;
  /** The account's language; null while it is unknown, and when the account has none. */
  language: 'ru' | 'en' | null;
  /** When an account that is being deleted can no longer be taken back; null for other accounts. */
  deletionDueAt: string | null;
  /** The number of calls about the account itself that the server has refused with 403. */
  forbiddenCount: number;
};

export const initialAuthState: AuthState = {
  isLoggedIn: false,
  showLoginModal: false,
  loginMode: 'signIn',
  user: null,
  isStaff: null,
  language: null,
  deletionDueAt: null,
  forbiddenCount: 0,
};

type AuthRecipe = (draft: AuthState) => void;

export type UpdateAuth = (recipe: AuthRecipe) => void;

/**
 * Applies a recipe to a copy of the state. Returns the same state when nothing has changed. Recipes replace whole values of fields,
 * so a shallow copy is enough.
 */
export function applyAuthRecipe(before: AuthState, recipe: AuthRecipe): AuthState {
  const draft = { ...before };
  recipe(draft);
  return (Object.keys(draft) as (keyof AuthState)[]).some((field) => draft[field] !== before[field]) ? draft : before;
}
