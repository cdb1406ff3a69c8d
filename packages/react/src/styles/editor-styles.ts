import editor from './editor.css?url';

/**
 * Address of the stylesheet for WordPress' block editor. Only the server uses it, so this module is a separate entry of
 * the browser's build.
 */
export const EDITOR_STYLES = editor;
