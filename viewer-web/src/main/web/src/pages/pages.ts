import type { ViewState } from '../url';
import { eventsPage } from './events';
import { gcPage } from './gc';
import { goroutinesPage } from './goroutines';
import { overviewPage } from './overview';
import { profilesPage } from './profiles';
import { schedtracePage } from './schedtrace';
import { schedulerPage } from './scheduler';
import { tasksPage } from './tasks';
import { timelinePage } from './timeline';

export interface Page {
  element: HTMLElement;
  /** Called when the page is shown and whenever the view state changes; null the first time. */
  update(before: ViewState | null): void;
}

export const PAGES: { id: string; title: string; make: () => Page }[] = [
  { id: 'overview', title: 'Overview', make: overviewPage },
  { id: 'timeline', title: 'Timeline', make: timelinePage },
  { id: 'goroutines', title: 'Goroutines', make: goroutinesPage },
  { id: 'scheduler', title: 'Scheduler', make: schedulerPage },
  { id: 'profiles', title: 'Profiles', make: profilesPage },
  { id: 'tasks', title: 'Tasks', make: tasksPage },
  { id: 'gc', title: 'GC', make: gcPage },
  { id: 'schedtrace', title: 'schedtrace', make: schedtracePage },
  { id: 'events', title: 'Events', make: eventsPage },
];
