import { ErrorPage } from '../../ui/error-page/error-page.tsx';
import type { Template } from '../template.ts';

const template: Template = {
  Component: ({ shell }) => <ErrorPage kind="not-found" texts={shell.strings.fourohfour} />,
};
export default template;
