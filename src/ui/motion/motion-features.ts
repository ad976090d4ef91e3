/** The part of framer-motion that animates. It has a file of its own, so that it comes after what a page shows first. */
export { domAnimation } from 'framer-motion';
