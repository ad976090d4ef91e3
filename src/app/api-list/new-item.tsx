import { type ReactNode, useState } from 'react';
import { Button } from '../../ui/controls/buttons/button.tsx';
import { Plus } from '../../ui/icons/icons.ts';

type NewItemProps = {
  /** The words of the button. */
  label: string;
  /** The form. It calls `close` when the item was created, or is not wanted. */
  children: (close: () => void) => ReactNode;
};

/** The button of a new item of a list, and its form in the place of the button. */
export function NewItem({ label, children }: NewItemProps) {
  const [isOpen, setIsOpen] = useState(false);
  if (isOpen) return children(() => setIsOpen(false));
  return (
    <div>
      <Button icon={<Plus size={16} aria-hidden />} onClick={() => setIsOpen(true)}>
        {label}
      </Button>
    </div>
  );
}
