import type { PreviewState } from '@pillion/content/types.ts';

/** Statuses of WordPress, as an editor reads them. What a plugin adds is shown by its own name. */
const STATUSES: Record<string, string> = {
  draft: 'Draft',
  'auto-draft': 'Draft',
  pending: 'Waiting for review',
  private: 'Private',
  publish: 'Changes not published',
  trash: 'In the trash',
};

const LANG = 'en';

/** Its day and time of day as they stand in an ISO 8601 date, where the clock of its offset shows them. */
function wallClock(iso: string): Date | null {
  const wall = new Date(`${iso.slice(0, 19)}Z`);
  return Number.isNaN(wall.getTime()) ? null : wall;
}

/** What the clock of `iso`'s offset shows at `now`. */
function nowOnThatClock(iso: string, now: Date): Date {
  const [, sign, hours, minutes] = /([+-])(\d\d):?(\d\d)$/.exec(iso) ?? [];
  const offset = sign ? Number(`${sign}1`) * (Number(hours) * 60 + Number(minutes)) : 0;
  return new Date(now.getTime() + offset * 60_000);
}

/** `14:02` of today, else `3 Nov, 14:02`, with the year where it is another. */
function when(iso: string, now: Date): string {
  const wall = wallClock(iso);
  if (!wall) return '';
  const today = nowOnThatClock(iso, now).toISOString();
  const day = wall.toISOString();
  const time = day.slice(11, 16);
  if (day.slice(0, 10) === today.slice(0, 10)) return time;
  const isThisYear = day.slice(0, 4) === today.slice(0, 4);
  const date = new Intl.DateTimeFormat(`${LANG}-GB`, {
    day: 'numeric',
    month: 'short',
    ...(isThisYear ? {} : { year: 'numeric' as const }),
    timeZone: 'UTC',
  }).format(wall);
  return `${date}, ${time}`;
}

/**
 * What is looked at, in a few words: `Draft, saved 14:02`.
 * @param now Decides whether the time alone says enough.
 */
export function stateInWords({ status, saved, date, kind }: PreviewState, now: Date): string {
  if (kind === 'unchanged' && status === 'publish') return 'As it is live';
  const moment = when(saved, now);
  const kept = moment && `, ${kind === 'autosave' ? 'autosaved' : 'saved'} ${moment}`;
  if (status === 'future' && date !== null) return `Scheduled for ${when(date, now)}${kind === 'autosave' ? kept : ''}`;
  return `${STATUSES[status] ?? status}${kept}`;
}
