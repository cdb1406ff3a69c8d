import type { Page, PreviewBoot, ShellContent } from '@pillion/content/types.ts';
import { stateInWords } from './state-words.ts';

interface Props {
  preview: PreviewBoot;
  page: Page;
  shell: ShellContent;
}

/**
 * Says what one looks at in a preview, and leads out of it. The server writes it behind the page's root element: React
 * never takes it over, and it works without script. Its words are English, whatever the page's language.
 */
export function PreviewBar({ preview: { kind, state, live } }: Props) {
  // Beside the block editor one knows what one looks at, and leaves by closing it.
  if (kind === 'pane') return null;
  return (
    <section data-preview-bar="" lang="en" dir="ltr" aria-label="Preview">
      <p>{stateInWords(state, new Date())}</p>
      {live !== null && <a href={live}>Live page</a>}
      <form method="post" action="/preview/leave">
        <input type="hidden" name="to" value={live ?? '/'} />
        <button type="submit">Leave</button>
      </form>
    </section>
  );
}
