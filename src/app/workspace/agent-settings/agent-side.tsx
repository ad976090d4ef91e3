import { CircleAlert } from '../../../ui/icons/icons.ts';
import styles from './agent-settings.module.css';
import { AgentTools } from './agent-tools.tsx';
import { ModelFields } from './model-fields.tsx';
import { MoreFields } from './more-fields.tsx';
import type { ModelFieldsProps } from './own-fields.tsx';
import { useModelChoice } from './use-model-choice.ts';

/** Beside the prompt: the model, the tools, and behind one word the rest. */
export function AgentSide({ error, ...props }: ModelFieldsProps & { error: string | null }) {
  const { agent, draft, readOnly } = props;
  const choice = useModelChoice(draft, readOnly);
  return (
    <div className={styles.side}>
      <ModelFields {...props} choice={choice} />
      {error && (
        <p className={styles.error} role="alert">
          <CircleAlert size={15} aria-hidden /> {error}
        </p>
      )}
      <AgentTools agentId={agent.id} readOnly={readOnly} />
      <MoreFields {...props} choice={choice} />
    </div>
  );
}
