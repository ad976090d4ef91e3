import { type ReactNode, useMemo } from 'react';
import { HelpContext } from '../../../ui/controls/overlays/help-context.ts';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import { usePanels } from '../frame/panels.tsx';
import { helpAddress } from './help-chapters.ts';

/** Gives each window the way to its chapter of the help. */
export function WindowHelp({ children }: { children: ReactNode }) {
  const { t, language } = useTranslation('actions');
  const { panels } = usePanels();
  const href = helpAddress(panels, language);
  const word = t('name.help');
  return <HelpContext value={useMemo(() => ({ href, word }), [href, word])}>{children}</HelpContext>;
}
