import type { PreviewState } from '@pillion/content/types.ts';

/** Labels of WordPress' post statuses. Statuses of plugins are shown with their own names. */
const STATUSES: Record<string, string> = {
  draft: 'Draft',
  'auto-draft': 'Draft',
  pending: 'Waiting for review',
  private: 'Private',
  publish: 'Changes not published',
  trash: 'In the trash',
};

/** Drops the offset of an ISO 8601 date: the UTC parts of the result are its local date and time. `null` if invalid. */
function localTime(iso: string): Date | null {
  const local = new Date(`${iso.slice(0, 19)}Z`);
  return Number.isNaN(local.getTime()) ? null : local;
}

/** The UTC parts of the result are the date and time of `now` at the offset of `iso`. */
function nowInOffsetOf(iso: string, now: Date): Date {
  const [, sign, hours, minutes] = /([+-])(\d\d):?(\d\d)$/.exec(iso) ?? [];
  const offsetMinutes = Number(hours ?? 0) * 60 + Number(minutes ?? 0);
  return new Date(now.getTime() + (sign === '-' ? -offsetMinutes : offsetMinutes) * 60_000);
}

/** `14:02` for today, otherwise `3 Nov, 14:02`, with the year if it is not the current one; empty if `iso` is invalid. */
function formatTime(iso: string, now: Date): string {
  const local = localTime(iso);
  if (!local) return '';
  const localNow = nowInOffsetOf(iso, now).toISOString();
  const localIso = local.toISOString();
  const time = localIso.slice(11, 16);
  if (localIso.slice(0, 10) === localNow.slice(0, 10)) return time;
  const isThisYear = localIso.slice(0, 4) === localNow.slice(0, 4);
  const date = new Intl.DateTimeFormat('en-GB', {
    day: 'numeric',
    month: 'short',
    ...(isThisYear ? {} : { year: 'numeric' as const }),
    timeZone: 'UTC',
  }).format(local);
  return `${date}, ${time}`;
}

/**
 * Describes the previewed state: `Draft, saved 14:02`.
 * @param now The current time, to decide whether the date is needed.
 */
export function describeState({ status, saved, date, kind }: PreviewState, now: Date): string {
  if (kind === 'unchanged' && status === 'publish') return 'As it is live';
  const time = formatTime(saved, now);
  const savedText = time && `, ${kind === 'autosave' ? 'autosaved' : 'saved'} ${time}`;
  if (status === 'future' && date !== null)
    return `Scheduled for ${formatTime(date, now)}${kind === 'autosave' ? savedText : ''}`;
  return `${STATUSES[status] ?? status}${savedText}`;
}
