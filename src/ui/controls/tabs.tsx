import { Tabs as Base } from '@base-ui/react/tabs';
import type { ReactNode } from 'react';
import styles from './tabs.module.css';

type TabsProps<Value extends string> = {
  label: string;
  value: Value;
  onChange: (value: Value) => void;
  tabs: readonly { value: Value; label: string; icon?: ReactNode; count?: number | string | undefined }[];
  /** At the right end of the row of tabs. */
  aside?: ReactNode;
  /** The panels, each a `TabPanel`. */
  children: ReactNode;
  className?: string;
};

/** Several panels in one place, one of them visible. */
export function Tabs<Value extends string>({ label, value, onChange, tabs, aside, children, className }: TabsProps<Value>) {
  return (
    <Base.Root
      className={[styles.root, className].filter(Boolean).join(' ')}
      value={value}
      onValueChange={(next) => onChange(next as Value)}
    >
      <div className={styles.head}>
        <Base.List className={styles.list} aria-label={label}>
          {tabs.map((tab) => (
            <Base.Tab key={tab.value} value={tab.value} className={styles.tab}>
              {tab.icon}
              {tab.label}
              {tab.count !== undefined && <span className={styles.count}>{tab.count}</span>}
            </Base.Tab>
          ))}
        </Base.List>
        {aside}
      </div>
      {children}
    </Base.Root>
  );
}

export function TabPanel({ value, children, className }: { value: string; children: ReactNode; className?: string | undefined }) {
  return (
    <Base.Panel value={value} className={[styles.panel, className].filter(Boolean).join(' ')}>
      {children}
    </Base.Panel>
  );
}
