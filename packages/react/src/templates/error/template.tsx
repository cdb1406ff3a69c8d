import { ServerErrorPage } from '../../ui/error-page/error-page.tsx';
import type { Template } from '../template.ts';

const template: Template = { Component: ServerErrorPage };
export default template;
