import errorPage from '../../ui/error-page/error-page.css?url';

export default [errorPage];
