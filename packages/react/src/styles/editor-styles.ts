import editor from './editor.css?url';

/**
 * The stylesheet for WordPress' block editor. Only the server uses its address, so the browser's build has this entry.
 */
export const EDITOR_STYLES = editor;
