import { useLateProblemText } from '../../../ui/i18n/use-late-problem-text.ts';
import styles from './demo.module.css';
import { demoFinished } from './demo-finished.ts';
import { OtherCanvas } from './other-canvas.tsx';
import { TryYourself } from './try-yourself.tsx';

/** The last line of the demonstration, shown while the console is closed. W4.16 */
export function DemoEnding() {
  const problemText = useLateProblemText();
  return (
    <div className={styles.ending} data-testid="demo-ending">
      <p>{problemText({ code: demoFinished })}</p>
      <TryYourself size="xl" wide />
      <OtherCanvas size="xl" wide />
    </div>
  );
}
