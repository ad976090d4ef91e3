import { useParams } from 'react-router-dom';
import { QuestionLinkPage } from '../question-link/question-link-page.tsx';

/** The target of a signed link to one question. G2.04 */
export function QuestionLinkRoute() {
  const { token = '' } = useParams();
  return <QuestionLinkPage key={token} token={token} />;
}
