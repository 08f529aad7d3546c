// Writing the address. Every step that Back undoes is an entry of the browser's history; everything
// else only keeps the entry of now true, and that can wait: browsers count such writes, and Safari
// throws when there are more than a hundred in ten seconds.
//
// Entries carry a number, so that undoing ends at the first view and never leaves the page.

const EVERY_MS = 200;

export class AddressBar {
  /** Number of the entry of now; 0 is where the page was opened. */
  private at = 0;
  private wanted: string | null = null;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private notBefore = 0;

  begin() {
    this.at = numberOf(history.state) ?? 0;
    write('replaceState', this.at, location.hash);
  }

  /** A new entry; the one of now keeps what was last wanted for it. */
  push(hash: string) {
    this.flush();
    if (write('pushState', this.at + 1, hash)) this.at++;
    else this.replace(hash);
  }

  /** Makes the entry of now say `hash`, soon. */
  replace(hash: string) {
    this.wanted = hash;
    if (this.timer !== undefined) return;
    const wait = this.notBefore - performance.now();
    if (wait <= 0) this.flush();
    else this.later(wait);
  }

  /** The browser went to another entry: what was wanted for the one before is void. */
  moved() {
    this.wanted = null;
    const number = numberOf(history.state);
    // A link made this entry; it comes after the one that had the link.
    if (number === null) write('replaceState', ++this.at, location.hash);
    else this.at = number;
  }

  /** Whether the address is behind the view. */
  get waiting(): boolean {
    return this.wanted !== null;
  }

  undo() {
    if (this.at > 0) history.back();
  }

  private flush() {
    clearTimeout(this.timer);
    this.timer = undefined;
    const hash = this.wanted;
    this.wanted = null;
    if (hash === null || hash === location.hash) return;
    this.notBefore = performance.now() + EVERY_MS;
    if (write('replaceState', this.at, hash)) return;
    this.wanted = hash;
    this.later(1000);
  }

  private later(ms: number) {
    this.timer = setTimeout(() => this.flush(), ms);
  }
}

/** False when the browser has had too many of these. */
function write(how: 'pushState' | 'replaceState', number: number, hash: string): boolean {
  try {
    history[how]({ gmptrace: number }, '', hash || location.href);
    return true;
  } catch {
    return false;
  }
}

function numberOf(state: unknown): number | null {
  const number = (state as { gmptrace?: unknown } | null)?.gmptrace;
  return typeof number === 'number' ? number : null;
}
