import { createContext } from 'react';

/** The chapter of the help to which a window leads, and the word for it; null where there is none. */
export const HelpContext = createContext<{ href: string; word: string } | null>(null);
