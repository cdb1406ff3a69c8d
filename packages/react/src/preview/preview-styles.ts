import type { PreviewKind } from '@pillion/content/types.ts';
import bar from './bar.css?url';
import pane from './pane.css?url';

/** Stylesheets that a preview document links after those of the page. */
export const previewStyles = (kind: PreviewKind): string[] => [kind === 'pane' ? pane : bar];
