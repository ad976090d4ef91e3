import { afterPaint, laterParts } from './after-paint.ts';

// Stands in the page's head. A second call finds the template empty.
afterPaint(() => document.head.append(laterParts()));
