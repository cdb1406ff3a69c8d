import text from '../../sections/rich-text/view.css?url';
import own from './template.css?url';

export default [text, own];
