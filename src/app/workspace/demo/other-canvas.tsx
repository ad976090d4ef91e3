import { Link } from 'react-router-dom';
import { buttonClass } from '../../../ui/controls/buttons/button-class.ts';
import { useTranslation } from '../../../ui/i18n/use-translation.ts';
import { useWorkspace } from '../../../workers/bridge/use-workspace.ts';

/** The link from one canvas of the demonstration to the other: of the whole team, and of a review with a person. */
export function OtherCanvas({ size = 's', wide = false }: { size?: 's' | 'xl'; wide?: boolean }) {
  const { t } = useTranslation('workspace');
  const isReview = useWorkspace(({ project }) => project?.id === 'public-review');
  return (
    <Link to={isReview ? '/public-test' : '/public-test?projectId=public-review'} className={buttonClass({ size, wide })}>
      {t(isReview ? 'demo.team' : 'demo.review')}
    </Link>
  );
}
