import editor from './editor.css?url';

/** Address of the stylesheet for WordPress' block editor. An entry of the browser's build, for the server. */
export const EDITOR_STYLES = editor;
