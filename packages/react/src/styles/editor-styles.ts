import editor from './editor.css?url';

/** Address of the stylesheet for WordPress' block editor. Only the server names it, so this module is an entry of the browser's build. */
export const EDITOR_STYLES = editor;
