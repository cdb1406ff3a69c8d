/** A sign-up that the server has stored. It holds no answers. */
interface StoredSignUp {
  /** The `sign_up_id` it was sent under; `''` where the browser could not make one. */
  id: string;
  formId: number;
  /** The page's address when it was confirmed, without query. */
  path: string;
}

type Report = (signUp: StoredSignUp) => void;

/** @returns Subscribes: `report` is called once for each sign-up that is stored from here on. */
export type WatchSignUps = (report: Report) => void;

const KEY = 'pillion-reported';

/** Ids that were reported. Where the tab's storage is full or switched off, they are known until the next page load. */
function createMemory(): { isNew(id: string): boolean } {
  const ids = new Set<string>();
  try {
    for (const id of JSON.parse(sessionStorage.getItem(KEY) ?? '[]')) ids.add(id);
  } catch {}
  return {
    isNew(id) {
      if (ids.has(id)) return false;
      if (id) ids.add(id);
      try {
        sessionStorage.setItem(KEY, JSON.stringify([...ids]));
      } catch {}
      return true;
    },
  };
}

/** The form tells of each confirmation; the server confirms a repeat of the same sign-up like the first. */
export function watchSignUps(): WatchSignUps {
  const memory = createMemory();
  const reports = new Set<Report>();
  addEventListener('pillion:sign-up', (event) => {
    const { id, formId } = (event as CustomEvent<Omit<StoredSignUp, 'path'>>).detail;
    if (!memory.isNew(id)) return;
    const path = location.pathname;
    // Each on its own: what one throws does not keep the other from reporting.
    for (const report of reports) queueMicrotask(() => report({ id, formId, path }));
  });
  return (report) => void reports.add(report);
}
