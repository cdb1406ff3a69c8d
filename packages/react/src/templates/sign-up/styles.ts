import text from '../../sections/rich-text/view.css?url';
import { FORM_STYLES } from '../../sections/sign-up/styles.ts';

export default [text, FORM_STYLES];
