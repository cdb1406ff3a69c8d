export { default } from '@pillion/server/vite/config.mjs';
