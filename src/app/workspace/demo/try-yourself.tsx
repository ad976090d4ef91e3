import { Link } from 'react-router-dom';
import { buttonClass } from '../../../ui/controls/button-class.ts';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import { ArrowRight } from '../../../ui/icons.ts';
import { useSurroundings } from '../workspace-context.ts';

/** The way on from the demonstration: to the landing page, where a visitor can sign up. */
export function TryYourself({ quiet = false, className }: { quiet?: boolean; className?: string | undefined }) {
  const { t } = useTranslation('workspace');
  const { mobile } = useSurroundings();
  return (
    <Link to="/landing" className={buttonClass({ variant: quiet ? 'secondary' : 'primary', size: mobile ? 'm' : 's' }, className)}>
      {t(mobile ? 'demo.tryShort' : 'demo.try')}
      {!mobile && <ArrowRight size={15} aria-hidden />}
    </Link>
  );
}
