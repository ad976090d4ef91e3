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
  /** The account's language; null until it is known, and where the account has none. */
  language: 'ru' | 'en' | null;
  /** How often the server has forbidden the account a call about itself. */
  forbiddenCount: number;
};

export const initialAuthState: AuthState = {
  isLoggedIn: false,
  showLoginModal: false,
  loginMode: 'signIn',
  user: null,
  isStaff: null,
  language: null,
  forbiddenCount: 0,
};

type AuthRecipe = (draft: AuthState) => void;

export type UpdateAuth = (recipe: AuthRecipe) => void;

/**
 * Returns the state that a recipe makes of this one, and this very one where nothing is different. Recipes put whole values into its
 * fields, so that a flat copy is enough.
 */
export function applyAuthRecipe(before: AuthState, recipe: AuthRecipe): AuthState {
  const draft = { ...before };
  recipe(draft);
  return (Object.keys(draft) as (keyof AuthState)[]).some((field) => draft[field] !== before[field]) ? draft : before;
}
