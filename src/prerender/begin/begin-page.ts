import { afterPaint, deferredParts } from './after-paint.ts';

// Inlined in the page's head. On a second call the template is empty.
afterPaint(() => document.head.append(deferredParts()));
