import own from './template.css?url';

export default [own];
