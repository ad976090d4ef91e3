import { useEffect, useState } from 'react';
import { IconButton } from '../../../ui/controls/buttons/icon-button.tsx';
import { Check, Copy } from '../../../ui/icons/icons.ts';

const confirmationMs = 1_500;

/** Copies a text to the clipboard and confirms it briefly; disabled while it is null. */
export function CopyButton({ text, label, done }: { text: string | null; label: string; done: string }) {
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), confirmationMs);
    return () => clearTimeout(timer);
  }, [copied]);
  return (
    <IconButton
      label={copied ? done : label}
      icon={copied ? <Check size={16} /> : <Copy size={16} />}
      disabled={text === null}
      onClick={() =>
        navigator.clipboard?.writeText(text ?? '').then(
          () => setCopied(true),
          () => setCopied(false),
        )
      }
    />
  );
}
