import { Button } from '../controls/buttons/button.tsx';
import type { ButtonLook } from '../controls/buttons/button-class.ts';
import { Spinner } from '../controls/spinner.tsx';

/** Says that remote data are loading. */
export function Loading({ text, size = 16, className }: { text: string; size?: number; className?: string | undefined }) {
  return (
    <p role="status" className={className}>
      <Spinner size={size} /> {text}
    </p>
  );
}

type LoadProblemProps = {
  text: string;
  /** The words of the button. */
  retry: string;
  onRetry: (() => void) | undefined;
  size?: ButtonLook['size'];
  busy?: boolean;
  className?: string | undefined;
};

/** Says why remote data could not be loaded, with a button that tries again. */
export function LoadProblem({ text, retry, onRetry, size = 's', busy = false, className }: LoadProblemProps) {
  return (
    <div role="alert" className={className}>
      <p>{text}</p>
      <Button size={size} busy={busy} onClick={onRetry}>
        {retry}
      </Button>
    </div>
  );
}
