import type { PreviewKind } from '@pillion/content/types.ts';
import bar from './bar.css?url';
import pane from './pane.css?url';

/** Stylesheets that the document of a preview links behind its page's own. */
export const previewStyles = (kind: PreviewKind): string[] => [kind === 'pane' ? pane : bar];
