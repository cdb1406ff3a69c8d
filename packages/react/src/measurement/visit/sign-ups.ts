/** A sign-up that the server has stored, without the answers. */
interface StoredSignUp {
  /** Its `sign_up_id`; `''` if the browser could not generate one. */
  id: string;
  formId: number;
  /** The page's path when the sign-up was confirmed, without query. */
  path: string;
}

type Report = (signUp: StoredSignUp) => void;

/** Subscribes: `report` is called once for each sign-up that is stored from now on. */
export type WatchSignUps = (report: Report) => void;

const STORAGE_KEY = 'pillion-reported';

/** Remembers reported ids: in the tab's storage, or until the next page load if storage is full or blocked. */
function createReportedIds() {
  const ids = new Set<string>();
  try {
    for (const id of JSON.parse(sessionStorage.getItem(STORAGE_KEY) ?? '[]')) ids.add(id);
  } catch {}
  return {
    /** @returns Whether the id is new; `''` always is, because it identifies no sign-up. */
    add(id: string): boolean {
      if (ids.has(id)) return false;
      if (id) ids.add(id);
      try {
        sessionStorage.setItem(STORAGE_KEY, JSON.stringify([...ids]));
      } catch {}
      return true;
    },
  };
}

/** Reports each sign-up once: the server confirms a repeated one too, and the form dispatches an event each time. */
export function watchSignUps(): WatchSignUps {
  const reportedIds = createReportedIds();
  const reports = new Set<Report>();
  addEventListener('pillion:sign-up', (event) => {
    const { id, formId } = (event as CustomEvent<Omit<StoredSignUp, 'path'>>).detail;
    if (!reportedIds.add(id)) return;
    const path = location.pathname;
    // Separately, so that an error in one report does not stop the others.
    for (const report of reports) queueMicrotask(() => report({ id, formId, path }));
  });
  return (report) => void reports.add(report);
}
