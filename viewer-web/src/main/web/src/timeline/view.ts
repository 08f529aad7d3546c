import type { TimeWindow } from './window';

/** What a frame is drawn of: the window, device pixels per CSS pixel, the length of the trace. */
export interface View {
  win: TimeWindow;
  scale: number;
  duration: number;
}
