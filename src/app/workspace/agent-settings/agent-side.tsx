import type { Problem } from '../../../model/problem.ts';
import { useProblemText } from '../../../ui/i18n/use-problem-text.ts';
import { CircleAlert } from '../../../ui/icons/icons.ts';
import styles from './agent-settings.module.css';
import { AgentTools } from './agent-tools.tsx';
import { ModelFields } from './model-fields.tsx';
import { MoreFields } from './more-fields.tsx';
import type { ModelFieldsProps } from './own-fields.tsx';
import { useModelChoice } from './use-model-choice.ts';

/** Beside the prompt: the model, the tools, and behind one word the rest. */
export function AgentSide({ problem, ...props }: ModelFieldsProps & { problem: Problem | null }) {
  const problemText = useProblemText();
  const { agent, draft, readOnly } = props;
  const choice = useModelChoice(draft, readOnly);
  return (
    <div className={styles.side}>
      <ModelFields {...props} choice={choice} />
      {problem && (
        <p className={styles.error} role="alert">
          <CircleAlert size={15} aria-hidden /> {problemText(problem)}
        </p>
      )}
      <AgentTools agentId={agent.id} readOnly={readOnly} />
      <MoreFields {...props} choice={choice} />
    </div>
  );
}
