import type { LucideIcon } from 'lucide-react/types';
import {
  AlignCenterHorizontal,
  AlignCenterVertical,
  AlignEndHorizontal,
  AlignEndVertical,
  AlignHorizontalSpaceBetween,
  AlignStartHorizontal,
  AlignStartVertical,
  AlignVerticalSpaceBetween,
} from '../../../ui/icons/icons.ts';
import type { ArrangeAction } from './selection-actions.ts';

/** An own icon for each way to arrange cards. The palette, which is loaded with the page, has one for all of them. */
export const arrangeIcons: Readonly<Record<ArrangeAction, LucideIcon>> = {
  alignLeft: AlignStartVertical,
  alignCentre: AlignCenterVertical,
  alignRight: AlignEndVertical,
  alignTop: AlignStartHorizontal,
  alignMiddle: AlignCenterHorizontal,
  alignBottom: AlignEndHorizontal,
  distributeHorizontally: AlignHorizontalSpaceBetween,
  distributeVertically: AlignVerticalSpaceBetween,
};
