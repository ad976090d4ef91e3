/**
 * The icons of all pages, among them the landing page's first screen. They have a file of their own: a bundler keeps the imports of a
 * file together, and that screen must not load the others.
 */
export { default as ArrowRight } from 'lucide-react/icons/arrow-right';
export { default as Copy } from 'lucide-react/icons/copy';
export { default as House } from 'lucide-react/icons/house';
export { default as MenuIcon } from 'lucide-react/icons/menu';
export { default as Moon } from 'lucide-react/icons/moon';
export { default as Sun } from 'lucide-react/icons/sun';
export { default as TriangleAlert } from 'lucide-react/icons/triangle-exclamation-point';
