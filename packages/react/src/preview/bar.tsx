import type { PreviewBoot } from '@pillion/content/types.ts';
import { describeState } from './state-words.ts';

/**
 * Shows the state of the previewed draft, with a button to leave the preview. The server renders it after the page's
 * root element: React does not hydrate it, and it works without script. It is always in English.
 */
export function PreviewBar({ preview: { kind, state, live } }: { preview: PreviewBoot }) {
  // The pane next to the block editor needs no bar: the editor shows the state, and closes the pane.
  if (kind === 'pane') return null;
  return (
    <section data-preview-bar="" lang="en" dir="ltr" aria-label="Preview">
      <p>{describeState(state, new Date())}</p>
      {live !== null && <a href={live}>Live page</a>}
      <form method="post" action="/preview/leave">
        <input type="hidden" name="to" value={live ?? '/'} />
        <button type="submit">Leave</button>
      </form>
    </section>
  );
}
