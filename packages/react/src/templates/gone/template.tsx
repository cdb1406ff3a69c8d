import { ErrorPage } from '../../ui/error-page/error-page.tsx';
import type { Template } from '../template.ts';

const template: Template = { Component: ({ shell }) => <ErrorPage kind="gone" texts={shell.strings.gone} /> };
export default template;
