import { Link } from 'react-router-dom';
import { type ButtonLook, buttonClass } from '../../../ui/controls/buttons/button-class.ts';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import { ArrowRight } from '../../../ui/icons/icons.ts';

type TryYourselfProps = Pick<ButtonLook, 'variant' | 'size' | 'wide'> & { short?: boolean; className?: string | undefined };

/** The link from the demonstration to the landing page, where a visitor can sign up. */
export function TryYourself({ variant = 'primary', size = 's', wide = false, short = false, className }: TryYourselfProps) {
  const { t } = useTranslation('workspace');
  return (
    <Link to="/landing" className={buttonClass({ variant, size, wide }, className)}>
      {t(short ? 'words:tryIt' : 'demo.try')}
      {!short && <ArrowRight size={15} aria-hidden />}
    </Link>
  );
}
