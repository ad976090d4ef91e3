import type { ComponentProps } from 'react';
import styles from './checkbox.module.css';

/** A checkbox of the page's own drawing; keyboard, forms and readers meet the browser's. */
export function Checkbox(props: Omit<ComponentProps<'input'>, 'type' | 'className'>) {
  return <input {...props} type="checkbox" className={styles.checkbox} />;
}
