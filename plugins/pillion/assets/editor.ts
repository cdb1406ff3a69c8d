// The parts of the page editor apart from sections. PHP gives each part its data; a part without data does nothing.
import './editor/seo.ts';
import './editor/theme.ts';
import './editor/to-do.ts';
import './preview/links.ts';
import './preview/pane.ts';
import './preview/problems.ts';
