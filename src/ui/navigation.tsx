import { type ComponentProps, createContext, useContext } from 'react';

/** Navigation to another page of this site without a full load. */
export type Navigation = {
  /** The URL's path. */
  path: string;
  go: (path: string, how?: { replace: boolean }) => void;
};

export const NavigationContext = createContext<Navigation | null>(null);

/** Pages with the router provide it, and so does the landing page, which has none. */
export function useNavigation(): Navigation {
  const value = useContext(NavigationContext);
  if (!value) throw new Error('A navigation is used outside its provider');
  return value;
}

/** A link to another page of this site. */
export function PageLink({ to, ...rest }: Omit<ComponentProps<'a'>, 'href' | 'onClick'> & { to: string }) {
  const { go } = useNavigation();
  return (
    <a
      {...rest}
      href={to}
      onClick={(event) => {
        // Any other click than a plain one is the browser's: another tab, another window, a download.
        if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
        event.preventDefault();
        go(to);
      }}
    />
  );
}
